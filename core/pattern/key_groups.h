// Cells whose queries fall into groups that see the same keys: clusters, centroids with the tokens
// nearest to them, hash buckets and their chunks (S5, S6). A query is in at most one group, so a
// row is its group's list of keys, cut at the query if causal.
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/prepared.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace attention {

struct KeyGroup {
  std::vector<Index> queries; // ascending
  std::vector<Index> keys;    // ascending
};

class KeyGroups {
public:
  // No query may be in two groups. `withoutSelf[i]`: query i does not see its own key (empty: all
  // may).
  KeyGroups(std::span<const KeyGroup> groups, bool causal, std::vector<bool> withoutSelf = {});

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // O(queries of the rows · log keys).
  Index count(const Rect& rect) const;
  // Adds to counts[b] the cells of rows [rowBegin, rowEnd) with keys in [edges[b], edges[b + 1]).
  void addStrip(Index rowBegin, Index rowEnd, std::span<const Index> edges,
                std::span<Index> counts) const;

  std::size_t groups() const { return keyEnds_.size(); }
  // Those of group g, ascending. A query sees the keys except those after itself if causal, and its
  // own if dropsSelf.
  std::span<const std::int32_t> queriesOf(std::size_t g) const;
  std::span<const std::int32_t> keysOf(std::size_t g) const;
  bool causal() const { return causal_; }
  bool dropsSelf(Index i) const;

private:
  // Keys of row k of queries_ in ascending order, cut if causal.
  std::span<const std::int32_t> keysOfRow(std::size_t k) const;
  std::size_t firstQuery(Index i) const; // the first entry of queries_ that is ≥ i
  Index countRow(std::size_t k, Index j0, Index j1) const;

  std::vector<std::int32_t> queries_; // ascending
  std::vector<std::int32_t> groups_;  // of each
  std::vector<std::int32_t> members_; // queries, group after group
  std::vector<std::size_t> memberEnds_;
  std::vector<std::int32_t> keys_;   // group after group
  std::vector<std::size_t> keyEnds_; // of each group
  bool causal_ = false;
  std::vector<bool> withoutSelf_;
};

CountedCells cellsOf(std::shared_ptr<const KeyGroups> groups);
// The groups from which cellsOf made these cells; null for other cells.
std::shared_ptr<const KeyGroups> groupsOf(const Cells& cells);

// All of 0 … n − 1, group after group, with queries of no group last. For Part::order.
std::shared_ptr<const std::vector<Index>> groupOrder(std::span<const KeyGroup> groups, Index n);

} // namespace attention
