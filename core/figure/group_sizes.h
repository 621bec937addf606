// How many tokens the groups of a round hold: buckets, clusters, or centroids of routes.
#pragma once

#include "core/pattern/token_groups.h"

namespace attention {

// Of the groups that hold a query; a token of several centroids counts in each.
struct GroupSizes {
  Index least = 0;
  Index most = 0;
  Index fullest = 0; // the group of the most
  Index none = 0;    // tokens of no group
  Index groups = 0;
  Index sum = 0; // of all groups
};
GroupSizes groupSizes(const TokenGroups& groups, std::size_t round);

} // namespace attention
