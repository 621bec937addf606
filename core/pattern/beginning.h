// What a mechanism begins with when somebody chooses it for the first time: defaults are those of
// papers, made for lengths of thousands, and at n = 144 a window of 512 is a full square that shows
// nothing.
#pragma once

#include "core/pattern/pattern.h"

namespace attention {

// `standard` (defaults) with parameters that suit n keys: lengths in tokens that exceed about n/6,
// and block sizes that fit too few times, are halved until they do; others stay the paper's.
// Mechanisms that are nothing without further parameters get some: a formula, a prefix, documents,
// lines, operands, and a graph a kind. A given mask has none to begin with.
Pattern beginning(const Pattern& standard, Index n);

} // namespace attention
