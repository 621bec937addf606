#include "core/pattern/token_groups.h"

#include "core/support/integers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace attention {
namespace {

std::vector<Index> holding(const std::vector<std::vector<Index>>& members, Index token) {
  std::vector<Index> groups;
  for (std::size_t c = 0; c < members.size(); ++c)
    if (std::binary_search(members[c].begin(), members[c].end(), token))
      groups.push_back(static_cast<Index>(c));
  return groups;
}

std::vector<Index> alone(const GroupedTokens& of, Index token) {
  const Index group = of.group[static_cast<std::size_t>(token)];
  return group == kNoGroup ? std::vector<Index>() : std::vector<Index>{group};
}

constexpr Index kWorthSaying = 4; // one of so many queries

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

GroupedTokens groupedTokens(std::vector<Index> group) {
  GroupedTokens of;
  of.group = std::move(group);
  of.order.resize(of.group.size());
  of.rank.resize(of.group.size());
  std::iota(of.order.begin(), of.order.end(), Index{0});
  std::stable_sort(of.order.begin(), of.order.end(), [&](Index a, Index b) {
    const Index first = of.group[static_cast<std::size_t>(a)];
    const Index second = of.group[static_cast<std::size_t>(b)];
    return first != kNoGroup && (second == kNoGroup || first < second);
  });
  for (std::size_t at = 0; at < of.order.size(); ++at)
    of.rank[static_cast<std::size_t>(of.order[at])] = static_cast<Index>(at);
  return of;
}

Index TokenGroups::chunks() const {
  if (chunk == 0)
    return 0;
  return ceilDiv(static_cast<Index>(rounds.front().queries.group.size()), chunk);
}

std::vector<Index> TokenGroups::ofQuery(std::size_t round, Index query) const {
  return kind == GroupKind::Routes ? holding(queriesOf, query)
                                   : alone(rounds[round].queries, query);
}

std::vector<Index> TokenGroups::ofKey(std::size_t round, Index key) const {
  return kind == GroupKind::Routes ? holding(keysOf, key) : alone(rounds[round].keys, key);
}

Index TokenGroups::used(std::size_t round) const {
  if (kind == GroupKind::Routes) // a token may be with several; `rounds` has the first
    return std::count_if(queriesOf.begin(), queriesOf.end(),
                         [](const std::vector<Index>& of) { return !of.empty(); });
  const auto& groups = rounds[round].queries.group;
  std::set<Index> seen(groups.begin(), groups.end());
  seen.erase(kNoGroup);
  return static_cast<Index>(seen.size());
}

Index queriesWithoutKeys(const TokenGroups& groups) {
  if (groups.kind != GroupKind::Clusters || groups.rounds.empty())
    return 0;
  const GroupRound& round = groups.rounds.front();
  const std::set<Index> held(round.keys.group.begin(), round.keys.group.end());
  const auto& of = round.queries.group;
  return std::count_if(of.begin(), of.end(), [&](Index group) {
    return group == kNoGroup || held.find(group) == held.end();
  });
}

std::string partedTokens(const TokenGroups& groups) {
  const Index alone = queriesWithoutKeys(groups);
  if (alone == 0)
    return {};
  const auto all = static_cast<Index>(groups.rounds.front().queries.group.size());
  if (kWorthSaying * alone < all)
    return {};
  return std::to_string(alone) + " of " + std::to_string(all) +
         " queries have no key in their cluster: this head's queries and keys lie apart. Routing "
         "gives every centroid keys.";
}

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
