// A sorted list of tokens or offsets without repetitions, with prefix sums: how many lie in an
// interval, and their sum, in O(log size).
#pragma once

#include "core/pattern/value.h"
#include "core/support/integers.h"

#include <span>
#include <vector>

namespace attention {

class SortedIndices {
public:
  SortedIndices() = default;
  explicit SortedIndices(const IndexList& list);

  std::size_t size() const { return values_.size(); }
  bool contains(Index x) const;
  // Number and sum of the entries in [begin, end).
  Index count(Index begin, Index end) const;
  Index sum(Index begin, Index end) const;
  // The entries in [begin, end), sorted.
  std::span<const Index> within(Index begin, Index end) const;
  // The maximal runs of consecutive entries as [begin, end).
  std::vector<IndexPair> runs() const;

private:
  std::size_t below(Index x) const;

  std::vector<Index> values_;
  std::vector<Index> sums_{0}; // sums_[k]: of the first k entries
};

} // namespace attention
