// The keys of a row of asked cells as bits.
#pragma once

#include "core/pattern/prepared.h"

#include <cstdint>
#include <vector>

namespace attention {

// Bit j − span.begin: whether token row i has key j, zeros behind the last key. Marked
// together where the cells can. Throws E_EXPR.
std::vector<std::uint64_t> askedKeys(const AskedCells& asked, Index token, const KeySpan& span);

} // namespace attention
