// Integers of 64 bits side by side in vectors chosen at run time, for formulas over many keys at
// once. Arrays begin at a cache line and have `count` numbers, a multiple of 64; the caller must
// rule out that a sum, difference or product overflows.
#pragma once

#include "core/pattern/expression.h"
#include "core/support/integers.h"

#include <cstdint>

namespace attention {

// Numbers of Divide and Modulo lie between −kMostDivided and kMostDivided; they round towards −∞.
constexpr Index kMostDivided = Index{1} << 51;

// a[t] ← a[t] op b[t] for arithmetic, bit operators, Min and Max; no b[t] may be 0 if it
// divides.
void combineLanes(Expression::Op op, const Index* b, Index count, Index* a);

// to[t] ← at + slope · t, or that modulo `period`, which lies between 1 and kMostDivided.
void fillLine(Index at, Index slope, Index count, Index* to);
void fillResidues(Index at, Index slope, Index period, Index count, Index* to);

// Bit t of `bits` ← whether a[t] < b[t], or a[t] == b[t]; also with a single b.
enum class LaneTest { Less, Greater, Equal };
void testLanes(LaneTest test, const Index* a, const Index* b, Index count, std::uint64_t* bits);
void testLanes(LaneTest test, const Index* a, Index b, Index count, std::uint64_t* bits);

} // namespace attention
