// Which picture of the Choosing view suits a pattern.
#pragma once

#include "core/pattern/pattern.h"
#include "core/scene/choosing_spec.h"

namespace attention {

// Whether the pattern sorts tokens into groups: lsh, cluster, routing.
bool groupsTokens(const Pattern& pattern);
// Whether the pattern ranks blocks or keys by scores; whether it is a cache that evicts keys.
bool ranksKeys(const Pattern& pattern);
bool evictsKeys(const Pattern& pattern);

// The picture that shows best what the pattern does; Scores where it chooses nothing.
ChoosingPicture pictureFor(const Pattern& pattern);

} // namespace attention
