// What the score board measures beside the compared patterns.
#pragma once

#include "core/scene/compare_spec.h"

namespace attention {

// Of the usual ones with parameters that suit n tokens (core/pattern/beginning.h), so that a window
// is none as long as the text.
std::vector<TimedMechanism> scoredAt(const CompareSpec& spec, Index n);

} // namespace attention
