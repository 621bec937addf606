// A mask from outside: a file's, or listed cells (S4.19).
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Given {
  std::optional<MaskSource> mask; // required
  bool operator==(const Given&) const = default;
};

const Description& describe(const Given&);
// Row i of the mask is query i: its shape has to be n_q × n_k. Queries that an alignment gives no
// token (bottom-right, n_q > n_k) are E_UNSUPPORTED.
void checkLengths(const Given& given, const Lengths& lengths);
// The mask with only so many of its listed cells that checkLengths allows the same lengths of it;
// O(cells). At most four, except where their number decides what they mean.
MaskSource outermostCells(const MaskSource& mask);
// A mask that still is a file's name is E_TYPE: whoever reads files puts the cells in its place
// first (core/scene).
std::shared_ptr<const Prepared> prepared(const Given& given, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
