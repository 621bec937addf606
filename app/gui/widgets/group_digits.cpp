#include "app/gui/widgets/group_digits.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attention::gui {
namespace {

constexpr const char* kThinSpace = "\u2009";

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

// |value| with `significant` digits, digits of the whole part beyond them as zeros.
std::string plain(double magnitude, int significant) {
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

} // namespace

std::string groupDigits(std::int64_t value) {
  return groupedDigits(value);
}

std::string groupDigits(std::uint64_t value) {
  return groupedDigits(value);
}

std::string shortNumber(double value, int significant) {
  if (std::isnan(value))
    return "not a number";
  const std::string sign = std::signbit(value) && value != 0 ? kMinusSign : "";
  if (std::isinf(value))
    return sign + "∞";
  const double magnitude = std::fabs(value);
  const bool far = magnitude != 0 && (magnitude >= 1e6 || magnitude < 1e-3);
  return sign + (far ? scientific(magnitude, significant) : plain(magnitude, significant));
}

std::string countWithUnit(double value) {
  constexpr std::array<const char*, 7> kUnits{"", " k", " M", " G", " T", " P", " E"};
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return plain(std::max(value, 0.0), 3) + kUnits[unit];
}

std::string percent(double share) {
  const std::string unit = std::string(kThinSpace) + "%";
  if (share > 0 && share < 0.0005)
    return "< 0.1" + unit;
  return formatted(100 * share, std::chars_format::fixed, 1) + unit;
}

} // namespace attention::gui
