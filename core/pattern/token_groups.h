// How a prepared pattern has grouped the tokens by their content: hash buckets (S6), clusters
// (S5.2), or the tokens nearest to each centroid (S5.3). Views and files read it from the pattern
// (Prepared::groups); nothing is hashed or clustered a second time.
#pragma once

#include "core/support/matrix.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attention {

enum class GroupKind { Buckets, Clusters, Routes };

constexpr Index kNoGroup = INT64_MIN; // given labels may be any other number

// Queries, or keys, sorted by group.
struct GroupedTokens {
  std::vector<Index> group; // group of every token, or kNoGroup; the first of several centroids
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
  // For every centroid of routes: its queries and its keys, ascending. A token may be with several.
  std::vector<std::vector<Index>> queriesOf;
  std::vector<std::vector<Index>> keysOf;

  // Chunks per round; 0 if it is not cut.
  Index chunks() const;
  // The groups that hold a query (a key) in a round, ascending; for routes, all of them.
  std::vector<Index> ofQuery(std::size_t round, Index query) const;
  std::vector<Index> ofKey(std::size_t round, Index key) const;
  // Groups of a round that hold a query.
  Index used(std::size_t round) const;
};

// ---- clusters that separate a head's queries from its keys, which leaves hardly any pairs ----

// The number of queries in a cluster without keys; 0 for buckets and routes. O(n log n).
Index queriesWithoutKeys(const TokenGroups& groups);

// A sentence about them if they are at least a quarter of the queries, else nothing.
std::string partedTokens(const TokenGroups& groups);

// ---- how many tokens the groups of a round hold ----

// Counts the groups that hold a query; a token of several centroids counts in each.
struct GroupSizes {
  Index least = 0;
  Index most = 0;
  Index fullest = 0; // the group with the most
  Index none = 0;    // tokens of no group
  Index groups = 0;
  Index sum = 0; // of all groups
};
GroupSizes groupSizes(const TokenGroups& groups, std::size_t round);

} // namespace attention
