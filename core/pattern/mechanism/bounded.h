// Mechanisms whose layout fixes n (T1 – T5): frames, spans, nodes of a tree. There may be fewer
// queries than keys, but none beyond the layout.
#pragma once

#include "core/pattern/lengths.h"
#include "core/pattern/prepared.h"

namespace attention {

// E_SHAPE where there are more queries than keys.
void requireInLayout(const char* mechanism, const Lengths& lengths);

// The text behind a canvas of so many tokens: it sees all and is seen by all.
Part textBehind(Index canvas);

} // namespace attention
