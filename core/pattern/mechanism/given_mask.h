// A mask from outside: a file's, or listed cells (S4.19).
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct GivenMask {
  std::optional<MaskSource> mask; // required
  bool operator==(const GivenMask&) const = default;
};

const Description& describe(const GivenMask&);
// Row i of the mask is query i: its shape must be n_q × n_k. Queries that get no token from the
// alignment (bottom-right, n_q > n_k) are E_UNSUPPORTED.
void checkLengths(const GivenMask& given, const Lengths& lengths);
// The mask with just enough of its listed cells for checkLengths to allow the same lengths;
// O(cells). At most four, except where their number decides their meaning.
MaskSource outermostCells(const MaskSource& mask);
// A mask that is still a file's name is E_TYPE: whoever reads files must first put the cells in its
// place (core/scene).
std::shared_ptr<const Prepared> prepared(const GivenMask& given, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
