// What a single number of a score modifier must be; `subject` names it in errors.
#pragma once

#include <string>

namespace attention {

// E_NONFINITE.
void requireFinite(double value, const std::string& subject);
// Above 0. E_NONFINITE, E_RANGE.
void requirePositive(double value, const std::string& subject);

} // namespace attention
