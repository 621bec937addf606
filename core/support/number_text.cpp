#include "core/support/number_text.h"

#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attention {
namespace {

std::string formatted(double value, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision).ptr;
  return {buffer.data(), end};
}

// Without zeros (and point) at the end of a fraction.
std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos)
    return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

// |value| with `significant` digits as mantissa × 10^exponent.
std::string scientific(double magnitude, int significant) {
  const std::string text = formatted(magnitude, std::chars_format::scientific, significant - 1);
  const std::size_t e = text.find('e');
  int exponent = 0;
  const char* first = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(first, text.data() + text.size(), exponent);
  return trimmed(text.substr(0, e)) + " × 10" + raised(std::to_string(exponent));
}

} // namespace

std::string plainNumber(double magnitude, int significant) {
  const int whole = magnitude > 0 ? static_cast<int>(std::floor(std::log10(magnitude))) + 1 : 1;
  if (whole > significant) {
    const double unit = std::pow(10.0, whole - significant);
    return groupedDigits(
        formatted(std::round(magnitude / unit) * unit, std::chars_format::fixed, 0));
  }
  const std::string text =
      trimmed(formatted(magnitude, std::chars_format::fixed, std::min(significant - whole, 15)));
  const std::size_t point = text.find('.');
  return groupedDigits(text.substr(0, point)) +
         (point == std::string::npos ? "" : text.substr(point));
}

std::string readableNumber(double value, int significant) {
  if (std::isnan(value))
    return "NaN";
  const std::string sign = std::signbit(value) && value != 0 ? kMinusSign : "";
  if (std::isinf(value))
    return sign + "∞";
  const double magnitude = std::fabs(value);
  const bool far = magnitude != 0 && (magnitude >= 1e6 || magnitude < 1e-3);
  return sign + (far ? scientific(magnitude, significant) : plainNumber(magnitude, significant));
}

namespace {

// Nearer to one, sums that were rounded differ from it too.
constexpr double kNotQuiteAll = 1 - 1e-9;

} // namespace

std::string sharePercent(double share) {
  const std::string unit = "\u2009%";
  if (share > 0 && share < 0.0005)
    return "< 0.1" + unit;
  if (share < kNotQuiteAll && share >= 0.9995)
    return "> 99.9" + unit;
  return fixed(100 * (share > -0.0005 ? std::max(0.0, share) : share), 1) + unit; // no "-0.0"
}

std::string percentText(double share, int digits) {
  return fixed(100 * share, digits) + " %";
}

} // namespace attention
