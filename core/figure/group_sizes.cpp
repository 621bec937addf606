#include "core/figure/group_sizes.h"

#include <algorithm>
#include <map>

namespace attention {
namespace {

// How many queries each group holds that holds one; of routes the tokens of every centroid.
std::map<Index, Index> sizesByGroup(const TokenGroups& groups, std::size_t round) {
  std::map<Index, Index> sizes;
  if (groups.kind == GroupKind::Routes) {
    for (std::size_t c = 0; c < groups.queriesOf.size(); ++c)
      if (!groups.queriesOf[c].empty())
        sizes[static_cast<Index>(c)] = static_cast<Index>(groups.queriesOf[c].size());
    return sizes;
  }
  for (const Index group : groups.rounds[round].queries.group)
    if (group != kNoGroup)
      ++sizes[group];
  return sizes;
}

} // namespace

GroupSizes groupSizes(const TokenGroups& groups, std::size_t round) {
  GroupSizes all;
  const auto& of = groups.rounds[round].queries.group;
  all.none = std::count(of.begin(), of.end(), kNoGroup);
  for (const auto& [group, size] : sizesByGroup(groups, round)) {
    ++all.groups;
    all.sum += size;
    if (size > all.most)
      all.fullest = group;
    all.most = std::max(all.most, size);
    all.least = all.least == 0 ? size : std::min(all.least, size);
  }
  return all;
}

} // namespace attention
