#include "core/pattern/parted_tokens.h"

#include <algorithm>
#include <set>

namespace attention {
namespace {

constexpr Index kWorthSaying = 4; // one of so many queries

} // namespace

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

} // namespace attention
