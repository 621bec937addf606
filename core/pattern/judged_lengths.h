// Whether a mask may have more keys than queries or fewer is for most patterns that read the data
// decided before (E_UNSUPPORTED, S4.20); those of S20 decide it themselves, and refuse by E_SHAPE.
#pragma once

#include "core/pattern/pattern.h"

#include <span>

namespace attention {

// Whether every pattern, operands included, is index arithmetic or decides by itself.
bool judgeLengths(std::span<const Pattern> patterns);

} // namespace attention
