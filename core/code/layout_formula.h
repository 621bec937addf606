// Formulas of the mechanisms that lay tokens out (T1 – T7): halves and blocks, spans, canvases,
// frames, segments; from their parameters, which are checked. Queries are tokens below n, except of
// segments.
#pragma once

#include "core/code/mask_formula.h"

namespace attention {

struct BlockDiffusion;
struct DilatedSegments;
struct Neighborhood;
struct Radial;
struct Spans;

std::vector<PartFormula> layoutFormula(const BlockDiffusion& diffusion, Index n);
std::vector<PartFormula> layoutFormula(const Spans& spans, Index n);
std::vector<PartFormula> layoutFormula(const Neighborhood& neighborhood, Index n);
// Of the reading token.
std::vector<PartFormula> layoutFormula(const Radial& radial, Index n);
std::vector<PartFormula> layoutFormula(const DilatedSegments& segments, Index n);

} // namespace attention
