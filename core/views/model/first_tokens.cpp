#include "core/views/model/first_tokens.h"

#include "core/pattern/pattern.h"
#include "core/pattern/prepared.h"
#include "core/support/error.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace attention {
namespace {

constexpr Index kLeastFirst = 64; // tokens: with fewer there is nothing to see

using Mask = std::shared_ptr<const Prepared>;

// A mask that heads of a variant have where the model has its own.
struct Exchanged {
  const Pattern* own = nullptr;
  const Pattern* now = nullptr;
};

std::vector<Exchanged> exchangedIn(const Model& model, const ModelVariant& variant) {
  std::vector<Exchanged> all;
  for (std::size_t layer = 0; layer < model.layers.size(); ++layer)
    for (Index head = 0; head < model.heads; ++head) {
      const Pattern& own = model.layers[layer].pattern;
      const Pattern& now = patternOf(model, variant, static_cast<Index>(layer), head);
      if (std::none_of(all.begin(), all.end(), [&](const Exchanged& known) {
            return *known.own == own && *known.now == now;
          }))
        all.push_back({&own, &now});
    }
  return all;
}

// The keys of a row as runs, whatever ranges they come in.
std::vector<std::pair<Index, Index>> keysOf(const Prepared& mask, Index row) {
  KeyRanges ranges;
  mask.row(row, ranges);
  std::vector<std::pair<Index, Index>> runs;
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index from, Index to) { runs.emplace_back(from, to); });
  std::sort(runs.begin(), runs.end());
  std::vector<std::pair<Index, Index>> joined;
  for (const auto& [from, to] : runs)
    if (!joined.empty() && from <= joined.back().second)
      joined.back().second = std::max(joined.back().second, to);
    else
      joined.emplace_back(from, to);
  return joined;
}

// Whether attention reads it as one softmax over its keys, row by row.
bool isPlain(const Prepared& mask) {
  const Outputs& outputs = mask.outputs();
  return outputs.combine == Combine::Union && outputs.keys.plain() && !mask.branches();
}

// Rows [0, until) in which a and b are equal: the number of those before the first other one.
Index equalRows(const Prepared& a, const Prepared& b, Index until, const Run& run) {
  Index row = 0;
  for (; row < until && keysOf(a, row) == keysOf(b, row); ++row)
    run.check();
  return row;
}

Mask preparedFor(const Pattern& pattern, Index n, const Run& run) {
  return prepare(pattern, squareLengths(n), {}, run.quiet());
}

// Whether the masks of `first` tokens are the beginning of those of n.
bool beginAlike(const Pattern& pattern, Index first, Index n, const Run& run) {
  const Mask whole = preparedFor(pattern, n, run);
  const Mask part = preparedFor(pattern, first, run);
  return isPlain(*whole) && isPlain(*part) && equalRows(*whole, *part, first, run) == first;
}

// The first row in which a head has another mask than the model's own, of the first `until` ones.
Index firstOtherRow(const std::vector<Exchanged>& masks, Index until, const Run& run) {
  Index first = until;
  for (const Exchanged& each : masks)
    if (!(*each.own == *each.now))
      first = std::min(first, equalRows(*preparedFor(*each.own, until, run),
                                        *preparedFor(*each.now, until, run), until, run));
  return first;
}

} // namespace

std::optional<Index> firstTokensOf(const Model& model, const ModelVariant& variant, Index n,
                                   const Run& run) {
  const Index most = n / 4;
  if (model.encoder || most < kLeastFirst)
    return std::nullopt;
  try {
    const std::vector<Exchanged> masks = exchangedIn(model, variant);
    if (std::any_of(masks.begin(), masks.end(), [](const Exchanged& each) {
          return needsData(*each.own) || needsData(*each.now);
        }))
      return std::nullopt;
    const Index other = firstOtherRow(masks, most, run);
    if (other == most)
      return std::nullopt;
    const Index first = std::min(std::max({2 * other, n / 8, kLeastFirst}), most);
    for (const Exchanged& each : masks)
      if (!beginAlike(*each.own, first, n, run) || !beginAlike(*each.now, first, n, run))
        return std::nullopt;
    return first;
  } catch (const Error&) { // a pattern that the shorter text does not allow
    return std::nullopt;
  }
}

} // namespace attention
