// Numbers in sentences, in the C locale.
#pragma once

#include <charconv>
#include <string>

namespace attention {

// Three significant digits: "1.42", "-0.00317", "1.2e+08".
inline std::string threeDigits(double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 3);
  return {digits, end.ptr};
}

} // namespace attention
