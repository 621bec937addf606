// The formula of a pattern's mask: from the primitives of its parts, from its parameters where it
// has lists (documents, lines, globals, grids, the user's own formula), and cell by cell where it
// is random or given. A pattern made of primitives needs nothing here.
#pragma once

#include "core/code/formula.h"
#include "core/pattern/expression.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern.h"
#include "core/pattern/primitive.h"

#include <string>

namespace attention {

constexpr Index kMostListedRuns = Index{1} << 18; // written into code

// One labelled part of a mask; the mask is the union of its parts.
struct PartFormula {
  std::string name;    // of a variable: "a1", "window"
  std::string comment; // "A¹ previous l"
  Formula formula;
};

// In tokens: i = query + lengths.offset; `data` for patterns that depend on it, whose resulting
// cells are listed. E_RANGE where more than kMostListedRuns runs have no formula; errors as
// prepare; E_EXPR of a formula is not looked for.
std::vector<PartFormula> maskFormula(const Pattern& pattern, const Lengths& lengths,
                                     const Run& run = {}, const PatternData& data = {});

// ---- primitives and compiled expressions ----

// The tokens and keys that a mask of these lengths has: conditions that hold for all of them are
// left out.
struct TokenRanges {
  Range query;
  Range key;
  explicit TokenRanges(const Lengths& lengths)
      : query{lengths.offset > 0 ? lengths.offset : 0, lengths.queries + lengths.offset - 1},
        key{0, lengths.keys - 1} {}
};

Formula formulaOf(const Primitive& primitive, const TokenRanges& ranges);

// The cells that strokes leave of `below`: one after the other, each adds or removes its own.
// E_RANGE as above.
Formula formulaOf(Formula below, const StrokeList& strokes, const TokenRanges& ranges);

// The same truth value in every cell in which the expression has one.
Formula formulaOf(const Expression& expression);

// ---- mechanisms that lay tokens out (T1 – T7) ----
//
// Halves and blocks, spans, canvases, frames, segments; from their parameters, which are checked.
// Queries are tokens below n, except of segments.

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
