// Numbers as they are read in sentences, the same in the window and in the captions of files:
// groups of three digits with a thin space, '−' for minus, independent of the locale.
#pragma once

#include <string>

namespace attention {

// A real number with `significant` digits (1 … 15): 0.246 → "0.246", 12345.6 → "12 300" at 3,
// beyond 10^6 and below 10^-3 "2.7 × 10⁵"-like with superscripts; "∞", "−∞", "not a number".
std::string readableNumber(double value, int significant = 3);

// A magnitude ≥ 0 likewise, of whatever size without a power of ten.
std::string plainNumber(double magnitude, int significant);

} // namespace attention
