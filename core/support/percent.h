// Shares in sentences, the same in the window and in files.
#pragma once

#include <string>

namespace attention {

// A share in [0, 1] as "24.6 %", with U+2009 before the percent sign; "< 0.1 %" for what is above
// zero and would read 0.0, "> 99.9 %" for what is below one and would read 100.0.
std::string sharePercent(double share);

// "12.3 %" for a share, with the given number of digits after the point, in the C locale.
std::string percentText(double share, int digits = 1);

} // namespace attention
