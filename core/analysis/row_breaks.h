// How the number of keys of a row changes with the row, for one primitive: between its breaks it is
// a line plus a part of period `rowPeriod`, that is, f(i + period) − f(i) is the same for all i.
#pragma once

#include "core/pattern/prepared.h"

#include <optional>
#include <vector>

namespace attention {

// The same for cells that count themselves (row tables, counted cells): appends the breaks and
// returns the period; nothing if every row must be examined.
std::optional<Index> rowBreaks(const Cells& cells, std::vector<Index>& breaks);

// Appends token rows at which a new stretch of `primitive`, cut to rows [0, rows) and keys
// [0, keys), begins. There may be more than needed, in any order, and some outside the mask. Where
// a period is repeated less often than it has rows, every repetition begins new stretches.
// O(√rows).
void appendRowBreaks(const Primitive& primitive, Index rows, Index keys,
                     std::vector<Index>& breaks);

// A period of the number of keys within the stretch [begin, end) between such breaks of the rows
// [0, rows); ≥ 1.
Index rowPeriod(const Primitive& primitive, Index rows, Index begin, Index end);

} // namespace attention
