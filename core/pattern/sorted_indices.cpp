#include "core/pattern/sorted_indices.h"

#include <algorithm>

namespace attention {

SortedIndices::SortedIndices(const IndexList& list) : values_(list.get()) {
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  sums_.reserve(values_.size() + 1);
  for (const Index x : values_)
    sums_.push_back(sums_.back() + x);
}

std::size_t SortedIndices::below(Index x) const {
  return static_cast<std::size_t>(std::lower_bound(values_.begin(), values_.end(), x) -
                                  values_.begin());
}

bool SortedIndices::contains(Index x) const {
  return std::binary_search(values_.begin(), values_.end(), x);
}

Index SortedIndices::count(Index begin, Index end) const {
  return begin < end ? static_cast<Index>(below(end) - below(begin)) : 0;
}

Index SortedIndices::sum(Index begin, Index end) const {
  return begin < end ? sums_[below(end)] - sums_[below(begin)] : 0;
}

std::span<const Index> SortedIndices::within(Index begin, Index end) const {
  if (begin >= end)
    return {};
  const std::size_t first = below(begin);
  return std::span(values_).subspan(first, below(end) - first);
}

std::vector<IndexPair> SortedIndices::runs() const {
  std::vector<IndexPair> runs;
  for (const Index x : values_) {
    if (!runs.empty() && runs.back().second == x)
      ++runs.back().second;
    else
      runs.emplace_back(x, x + 1);
  }
  return runs;
}

} // namespace attention
