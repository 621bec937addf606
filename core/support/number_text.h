// Numbers in sentences, in the C locale.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace attention {

// Three significant digits: "1.42", "-0.00317", "1.2e+08".
inline std::string threeDigits(double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 3);
  return {digits, end.ptr};
}

// Digits in threes with thin spaces between them: "16 384".
inline std::string groupedDigits(std::string_view digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0)
      text += "\u2009";
    text += digits[i];
  }
  return text;
}

} // namespace attention
