#include "core/code/arrays/array_makers.h"

#include "core/pattern/mechanism/block_diffusion.h"
#include "core/pattern/mechanism/block_local.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/document.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/prefix_lm.h"
#include "core/pattern/mechanism/sliding_window.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

enum SliceType : Index { kAll = 0, kCausal = 1, kInverse = 2, kBoth = 3 };

using Slice = std::array<Index, 5>;
using Slices = std::vector<Slice>;

// −b ≤ i − j ≤ a: rows are cut where the left end starts to move and where the right one stops.
Slices bandSlices(Index n, Index left, Index right) {
  const Index a = std::min(left, n - 1);
  const Index b = std::min(right, n - 1);
  std::array<Index, 4> cuts{0, a + 1, n - b, n};
  std::sort(cuts.begin(), cuts.end());
  Slices slices;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const Index begin = cuts[k];
    const Index end = cuts[k + 1];
    if (begin == end)
      continue;
    const bool leftMoves = begin > a;
    const bool rightMoves = end <= n - b;
    const SliceType type = end - begin == 1          ? kAll
                           : leftMoves && rightMoves ? kBoth
                           : leftMoves               ? kInverse
                           : rightMoves              ? kCausal
                                                     : kAll;
    slices.push_back({begin, end, std::max<Index>(0, begin - a), std::min(n, end + b), type});
  }
  return slices;
}

Slices documentSlices(const Document& document) {
  Slices slices;
  Index begin = 0;
  for (const Index length : *document.lengths) {
    const Index end = begin + length;
    if (length > 0)
      slices.push_back({begin, end, begin, end, document.causal ? kCausal : kAll});
    begin = end;
  }
  return slices;
}

Slices blockSlices(Index n, const BlockLocal& local) {
  Slices slices;
  const Index size = std::min(local.blockSize, n);
  const Index before = std::min(local.before, n) * size;
  const Index after = (std::min(local.after, n) + 1) * size;
  for (Index begin = 0; begin < n; begin += size) {
    const Index end = std::min(n, begin + size);
    const Index low = std::max<Index>(0, begin - before);
    if (local.causal)
      slices.push_back({begin, end, low, end, kCausal});
    else
      slices.push_back({begin, end, low, std::min(n, begin + after), kAll});
  }
  return slices;
}

Slices prefixSlices(Index n, Index prefix) {
  const Index seen = std::min(prefix, n);
  Slices slices;
  if (seen > 0)
    slices.push_back({0, seen, 0, seen, kAll});
  if (seen < n)
    slices.push_back({seen, n, 0, n, kCausal});
  return slices;
}

// A noised block sees itself and the clean blocks before it; a clean one those and itself.
Slices diffusionSlices(Index n, const BlockDiffusion& diffusion) {
  const Index half = n / 2;
  const Index size = std::min(*diffusion.blockSize, half);
  Slices noised;
  Slices clean;
  for (Index begin = 0; begin < half; begin += size) {
    const Index end = std::min(half, begin + size);
    noised.push_back({begin, end, begin, end, kAll});
    if (begin > 0)
      noised.push_back({begin, end, half, half + begin, kAll});
    clean.push_back({half + begin, half + end, half, half + end, kAll});
  }
  noised.insert(noised.end(), clean.begin(), clean.end());
  return noised;
}

std::optional<Slices> slidingSlices(Index n, const SlidingWindow& window) {
  const Index left = window.left < 0 ? n : window.left;
  const Index given = window.right.value_or(left);
  const Index right = window.causal ? 0 : given < 0 ? n : given;
  return bandSlices(n, left, right);
}

// Nothing where the mask has no canonical slices.
std::optional<Slices> slicesOf(const Pattern& pattern, Index n) {
  if (const auto* full = pattern.as<Full>())
    return Slices{{0, n, 0, n, full->causal ? kCausal : kAll}};
  if (pattern.is<Causal>())
    return Slices{{0, n, 0, n, kCausal}};
  if (const auto* local = pattern.as<Local>(); local && local->causal &&
                                               local->count == Local::Count::Inclusive &&
                                               local->edge == Local::Edge::Clip)
    return bandSlices(n, local->window - 1, 0);
  if (const auto* window = pattern.as<SlidingWindow>())
    return slidingSlices(n, *window);
  if (const auto* document = pattern.as<Document>();
      document && document->lengths && !document->prefix)
    return documentSlices(*document);
  if (const auto* local = pattern.as<BlockLocal>(); local && !local->wrap)
    return blockSlices(n, *local);
  if (const auto* prefix = pattern.as<PrefixLm>())
    return prefixSlices(n, *prefix->prefix);
  if (const auto* diffusion = pattern.as<BlockDiffusion>();
      diffusion && diffusion->part == BlockDiffusion::Stage::Train)
    return diffusionSlices(n, *diffusion);
  return std::nullopt;
}

} // namespace

MaskArrays magiSlices(const Pattern& pattern, const Prepared& prepared) {
  requireSquare(prepared, "magi");
  const auto slices = slicesOf(pattern, prepared.lengths().keys);
  if (!slices)
    throwRange("mask", shortText(pattern),
               "full, causal, a band, documents by their lengths, block local, prefix LM or block "
               "diffusion in training for magi");
  std::vector<Index> values;
  for (const Slice& slice : *slices)
    values.insert(values.end(), slice.begin(), slice.end());
  return {integerArray("slices", {std::ssize(*slices), 5}, std::move(values))};
}

} // namespace attention
