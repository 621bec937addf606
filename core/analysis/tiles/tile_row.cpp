#include "core/analysis/tiles/tile_row.h"

#include "core/support/error.h"

#include <algorithm>

namespace attention {

void checkBlock(const BlockSize& block) {
  for (const Index size : {block.queries, block.keys})
    if (size < 1)
      throwRange("block", std::to_string(size), "at least 1 in both directions");
    else if (size > kMaxLength)
      throwRange("block", std::to_string(size), "at most 2^30 in both directions");
}

TileRow::TileRow(const Prepared& pattern, const BlockSize& block)
    : pattern_(pattern), block_(block),
      pairs_(static_cast<std::size_t>(ceilDiv(pattern.lengths().keys, block.keys))),
      steps_(pairs_.size() + 1) {}

void TileRow::count(Index rowBegin) {
  const Index rowEnd = std::min(rowBegin + block_.queries, pattern_.lengths().queries);
  rows_ = rowEnd - rowBegin;
  std::fill(pairs_.begin(), pairs_.end(), 0);
  std::fill(steps_.begin(), steps_.end(), 0);
  for (Index i = rowBegin; i < rowEnd; ++i) {
    pattern_.row(i, ranges_);
    for (const KeyRange& range : ranges_)
      forEachRun(range, [this](Index begin, Index end) { add(begin, end); });
  }
  Index between = 0;
  for (std::size_t tile = 0; tile < pairs_.size(); ++tile) {
    between += steps_[tile];
    pairs_[tile] += between;
  }
}

void TileRow::add(Index begin, Index end) {
  const auto first = static_cast<std::size_t>(begin / block_.keys);
  const auto last = static_cast<std::size_t>((end - 1) / block_.keys);
  if (first == last) {
    pairs_[first] += end - begin;
    return;
  }
  pairs_[first] += static_cast<Index>(first + 1) * block_.keys - begin;
  pairs_[last] += end - static_cast<Index>(last) * block_.keys;
  steps_[first + 1] += block_.keys;
  steps_[last] -= block_.keys;
}

} // namespace attention
