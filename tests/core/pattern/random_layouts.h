// Random layouts of n tokens (T1 – T7), for random_pattern.h: what must fit n and each other.
#pragma once

#include "core/pattern/mechanism/dilated_segments.h"
#include "core/pattern/mechanism/neighborhood.h"
#include "core/pattern/mechanism/radial.h"
#include "core/pattern/mechanism/spans.h"
#include "core/pattern/mechanism/tree.h"
#include "tests/core/pattern/random_pattern.h"

namespace attention {

// Readings are kept.
void fitLayout(Dice& dice, Neighborhood& of, Index n);
void fitLayout(Dice& dice, Spans& spans, Index n);
void fitLayout(Dice& dice, Tree& tree, Index n);
void fitLayout(Dice& dice, Radial& radial, Index n);
void fitLayout(Dice& dice, DilatedSegments& of, Index n);

} // namespace attention
