// How a prepared pattern has grouped the tokens by their content: hash buckets (S6), clusters
// (S5.2), or the tokens nearest to each centroid (S5.3). Views and files read it from the pattern
// (Prepared::groups); nothing is hashed or clustered a second time.
#pragma once

#include "core/support/matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace attention {

enum class GroupKind { Buckets, Clusters, Routes };

constexpr Index kNoGroup = INT64_MIN; // given labels may be any other number

// Queries, or keys, sorted by group.
struct GroupedTokens {
  std::vector<Index> group; // of every token, or kNoGroup. Of several centroids the first one
  std::vector<Index> order; // tokens by (group, position); those of no group last
  std::vector<Index> rank;  // of every token in that order
};

// Sorts the tokens 0 … group.size() − 1, stably. O(n log n).
GroupedTokens groupedTokens(std::vector<Index> group);

// One hash round, or all of a clustering.
struct GroupRound {
  GroupedTokens queries;
  GroupedTokens keys; // equal to the queries' where both are one matrix
};

struct TokenGroups {
  GroupKind kind = GroupKind::Buckets;
  Index count = 0;  // of groups that there can be: buckets, clusters, centroids
  Index chunk = 0;  // the order is cut into chunks of so many tokens; 0: it is not cut
  Index before = 0; // chunks that are seen before and after one's own
  Index after = 0;
  bool wraps = false;             // what lies before the first chunk is the last one
  std::vector<GroupRound> rounds; // at least one; part r of the pattern is round r of the buckets
  Matrix<double> centroids;       // count × d; none for buckets and given labels
  // Of every centroid of routes: its queries and its keys, rising. A token may be with several.
  std::vector<std::vector<Index>> queriesOf;
  std::vector<std::vector<Index>> keysOf;

  // Chunks of a round; 0 where it is not cut.
  Index chunks() const;
  // The groups that hold a query (a key) in a round, rising; of routes all of them.
  std::vector<Index> ofQuery(std::size_t round, Index query) const;
  std::vector<Index> ofKey(std::size_t round, Index key) const;
  // Groups of a round that hold a query.
  Index used(std::size_t round) const;
};

} // namespace attention
