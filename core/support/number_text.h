// Numbers in sentences, the same in the window and in the captions of files, independent of the
// locale: groups of three digits with a thin space, '−' for minus.
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

// "rows", "queries", "batches".
inline std::string pluralOf(std::string_view one) {
  const std::string word(one);
  if (word.ends_with("axis"))
    return word.substr(0, word.size() - 2) + "es";
  if (word.ends_with("ry"))
    return word.substr(0, word.size() - 1) + "ies";
  return word + (word.ends_with("ch") ? "es" : "s");
}

// "1 row", "16 384 rows".
inline std::string counted(std::integral auto number, std::string_view what) {
  return groupedDigits(number) + " " + (number == 1 ? std::string(what) : pluralOf(what));
}

// The same with plain digits, for errors and commands: "16384 rows".
inline std::string countText(std::integral auto number, std::string_view what) {
  return std::to_string(number) + " " + (number == 1 ? std::string(what) : pluralOf(what));
}

// The word that agrees with the number: "has", "have".
inline std::string agreeing(std::integral auto number, std::string_view one,
                            std::string_view several) {
  return std::string(number == 1 ? one : several);
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

// ---- real numbers ----

// A real number with `significant` digits (1 … 15): 0.246 → "0.246", 12345.6 → "12 300" at 3,
// beyond 10^6 and below 10^-3 "2.7 × 10⁵"-like with superscripts; "∞", "−∞", "NaN".
std::string readableNumber(double value, int significant = 3);

// A magnitude ≥ 0 likewise, never with a power of ten.
std::string plainNumber(double magnitude, int significant);

// ---- shares ----

// A share in [0, 1] as "24.6 %", with U+2009 before the percent sign; "< 0.1 %" for what is above
// zero and would read 0.0, "> 99.9 %" for what is below one and would read 100.0.
std::string sharePercent(double share);

// "12.3 %" for a share, with the given number of digits after the point, in the C locale.
std::string percentText(double share, int digits = 1);

} // namespace attention
