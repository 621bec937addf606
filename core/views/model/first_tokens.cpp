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

// Of the first `until` rows of n those before the first one in which the two masks differ.
Index equalRows(const Exchanged& masks, Index until, Index n, const Run& run) {
  if (*masks.own == *masks.now)
    return until;
  if (needsData(*masks.own) || needsData(*masks.now))
    return 0;
  const Mask own = preparedFor(*masks.own, n, run);
  const Mask now = preparedFor(*masks.now, n, run);
  return isPlain(*own) && isPlain(*now) ? equalRows(*own, *now, until, run) : 0;
}

} // namespace

Index ownTokens(const Model& model, const ModelVariant& variant, Index n, const Run& run) {
  try {
    Index own = n;
    for (const Exchanged& masks : exchangedIn(model, variant))
      own = equalRows(masks, own, n, run);
    return model.encoder && own < n ? 0 : own;
  } catch (const Error&) { // a pattern that the text does not allow
    return 0;
  }
}

std::optional<Index> firstTokensOf(const Model& model, const ModelVariant& variant, Index n,
                                   Index own, const Run& run) {
  const Index most = n / 4;
  if (model.encoder || most < kLeastFirstTokens || own >= most)
    return std::nullopt;
  const Index first = std::min(std::max({2 * own, n / 8, kLeastFirstTokens}), most);
  const auto begins = [&](const Pattern& pattern) {
    return !needsData(pattern) && beginAlike(pattern, first, n, run);
  };
  try {
    const std::vector<Exchanged> all = exchangedIn(model, variant);
    const bool known = std::all_of(all.begin(), all.end(), [&](const Exchanged& masks) {
      return begins(*masks.own) && begins(*masks.now);
    });
    return known ? std::optional(first) : std::nullopt;
  } catch (const Error&) { // a pattern that the shorter text does not allow
    return std::nullopt;
  }
}

} // namespace attention
