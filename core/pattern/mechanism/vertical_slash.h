// Vertical and slash lines (S4.13; MInference): listed columns and listed diagonals.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

namespace attention {

struct VerticalSlash {
  IndexList vertical; // columns
  IndexList slash;    // offsets i − j ≥ 0
  bool operator==(const VerticalSlash&) const = default;
};

const Description& describe(const VerticalSlash&);
// Part "slash" holds the cells of the diagonals that are on no listed column.
std::shared_ptr<const Prepared> prepared(const VerticalSlash& lines, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
