// The formula of a pattern's mask: from the primitives of its parts, from its parameters where it
// has lists (documents, lines, globals, grids, the user's own formula), and cell by cell where it
// is random or given. A pattern made of primitives needs nothing here.
#pragma once

#include "core/figure/code/formula.h"
#include "core/pattern/pattern.h"

#include <string>

namespace attention {

constexpr Index kMostListedRuns = Index{1} << 18; // written into code

// One labelled part of a mask; the mask is the union of its parts.
struct PartFormula {
  std::string name;    // of a variable: "a1", "window"
  std::string comment; // "A¹ previous l"
  Formula formula;
};

// In tokens: i = query + lengths.offset; `data` for patterns that depend on it, whose cells are
// listed as they came out. E_RANGE where more than kMostListedRuns runs have no
// formula; errors as prepare; E_EXPR of a formula is not looked for.
std::vector<PartFormula> maskFormula(const Pattern& pattern, const Lengths& lengths,
                                     const Run& run = {}, const PatternData& data = {});

} // namespace attention
