// Numbers as they are shown in the window: groups of three digits with a thin space, '−' for minus,
// independent of the locale.
#pragma once

#include <cstdint>
#include <string>

namespace attention::gui {

// 2035 → "2 035", with U+2009 between the groups; four digits are grouped too.
std::string groupDigits(std::int64_t value);
std::string groupDigits(std::uint64_t value);

// readableNumber (core/support/number_text.h).
std::string shortNumber(double value, int significant = 3);

// "0.27 M", "1.3 G": at most three digits and k, M, G, T, P, E by powers of 1000.
std::string countWithUnit(double value);

// A share in [0, 1] as "24.6 %", with U+2009 before the percent sign; "< 0.1 %" for what is above
// zero and would read 0.0, "> 99.9 %" for what is below one and would read 100.0.
std::string percent(double share);

} // namespace attention::gui
