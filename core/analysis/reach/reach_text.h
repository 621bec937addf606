// Reach in words, the same in the window and in pages.
#pragma once

#include "core/analysis/reach/reach.h"

#include <string>

namespace attention {

// "j = 3 reaches i = 9 after 2 layers", "… never reaches …" for −1; of a pair that is lost again
// also that. `key` and `query` are their numbers, or what stands in their place.
std::string hopsText(const std::string& key, const std::string& query, Index hops, bool lost);

// What a receptive field says of its cells, and of the others: "Through 3 layers, key 2 reaches
// query 8."
std::string reachText(const std::string& key, const std::string& query, Index layers, bool reaches);

} // namespace attention
