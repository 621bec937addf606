// The queries and keys of an input as patterns that depend on the data read them.
#pragma once

#include "core/input/input.h"
#include "core/pattern/pattern_data.h"

namespace attention {

// The first n tokens of one model head. E_UNSUPPORTED where the input has ready weights alone, or
// queries and keys of different lengths; E_SHAPE where it is shorter than n. O(n d).
PatternData inputData(const Input& input, Index batch, Index head, Index n, const Run& run = {});

} // namespace attention
