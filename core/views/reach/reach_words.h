// What layers reach, in words.
#pragma once

#include "core/views/reach/scene_reach.h"

#include <string>
#include <vector>

namespace attention {

// What to see in the picture, in sentences from nothing but the numbers.
std::vector<std::string> readingOf(const ReachAnswer& answer);

} // namespace attention
