// Primitives and compiled expressions as formulas.
#pragma once

#include "core/figure/code/formula.h"
#include "core/pattern/expression.h"
#include "core/pattern/lengths.h"
#include "core/pattern/primitive.h"

namespace attention {

// The tokens and keys that a mask of these lengths has: what holds for all of them is left out.
struct TokenRanges {
  Range query;
  Range key;
  explicit TokenRanges(const Lengths& lengths)
      : query{lengths.offset > 0 ? lengths.offset : 0, lengths.queries + lengths.offset - 1},
        key{0, lengths.keys - 1} {}
};

Formula formulaOf(const Primitive& primitive, const TokenRanges& ranges);

// The same truth value in every cell in which the expression has one.
Formula formulaOf(const Expression& expression);

} // namespace attention
