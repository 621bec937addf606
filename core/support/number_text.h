// Whole numbers in sentences, in the C locale; real ones are readable_number.h's.
#pragma once

#include <array>
#include <concepts>
#include <string>
#include <string_view>

namespace attention {

constexpr const char* kMinusSign = "\u2212";

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
inline std::string groupedDigits(std::integral auto value) {
  const std::string digits = std::to_string(value);
  return value < 0 ? kMinusSign + groupedDigits(std::string_view(digits).substr(1))
                   : groupedDigits(std::string_view(digits));
}

// "1 row", "16 384 rows".
inline std::string counted(std::integral auto number, std::string_view what) {
  return groupedDigits(number) + " " + std::string(what) + (number == 1 ? "" : "s");
}

// A number as its exponent is set: "-3" is "⁻³", "1.92" is "¹·⁹²".
inline std::string raised(std::string_view number) {
  constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char sign : number)
    if (sign >= '0' && sign <= '9')
      text += kDigits[static_cast<std::size_t>(sign - '0')];
    else
      text += sign == '-' ? "⁻" : "·";
  return text;
}

} // namespace attention
