// Clusters that part the queries of a head from its keys: then there is hardly a pair.
#pragma once

#include "core/pattern/token_groups.h"

#include <string>

namespace attention {

// Queries of clusters whose cluster holds no key; 0 for buckets and routes. O(n log n).
Index queriesWithoutKeys(const TokenGroups& groups);

// A sentence that says so where it is the case for at least a quarter of the queries, else nothing.
std::string partedTokens(const TokenGroups& groups);

} // namespace attention
