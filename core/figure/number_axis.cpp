#include "core/figure/number_axis.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attention {
namespace {

// The exponent of a value on a logarithmic scale, the value itself on a linear one.
double coordinate(Scale scale, double value) {
  switch (scale) {
  case Scale::Log2:
    return std::log2(value);
  case Scale::Log10:
    return std::log10(value);
  case Scale::Linear:
    break;
  }
  return value;
}

double fromCoordinate(Scale scale, double at) {
  switch (scale) {
  case Scale::Log2:
    return std::exp2(at);
  case Scale::Log10:
    return std::pow(10.0, at);
  case Scale::Linear:
    break;
  }
  return at;
}

bool shown(Scale scale, double value) {
  return std::isfinite(value) && (scale == Scale::Linear || value > 0);
}

// 1, 2 or 5 times a power of ten, at least `least`.
double roundStep(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= least * (1 - 1e-9))
      return factor * decade;
  return 10 * decade;
}

// In groups, with a sign of its own for minus; "1.5e-07" is 1.5 × 10⁻⁷.
std::string written(std::string_view number) {
  if (const std::size_t e = number.find('e'); e != std::string_view::npos) {
    const std::string_view power = number.substr(e + 1);
    const bool below = power.front() == '-';
    const std::size_t digits = std::min(power.find_first_not_of("+-0"), power.size() - 1);
    const std::string ten = "10" + raised((below ? "-" : "") + std::string(power.substr(digits)));
    const std::string_view of = number.substr(0, e);
    return of == "1" ? ten : written(of) + " × " + ten;
  }
  const bool negative = number.front() == '-';
  number.remove_prefix(negative ? 1 : 0);
  const std::size_t whole = std::min(number.find_first_not_of("0123456789"), number.size());
  return (negative ? kMinusSign : "") + groupedDigits(number.substr(0, whole)) +
         std::string(number.substr(whole));
}

// In the C locale, with so many digits that steps of `step` differ.
std::string plainNumber(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 17);
  std::array<char, 64> digits{};
  const bool large = std::abs(value) >= 1e7 || (step < 1e-5);
  const auto end = large ? std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                         std::chars_format::general, 6)
                         : std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                         std::chars_format::fixed, decimals);
  const std::string text(digits.data(), end.ptr);
  return text.find_first_not_of("-0.") == std::string::npos ? "0" : written(text);
}

std::string tickText(Scale scale, int exponent) {
  if (scale == Scale::Log10)
    return exponent >= 0 && exponent <= 3 ? groupedDigits(std::lround(std::pow(10.0, exponent)))
                                          : powerOfTen(exponent);
  if (exponent >= 0 && exponent <= 20)
    return groupedDigits(1L << exponent);
  return plainNumber(std::exp2(exponent), std::exp2(exponent) / 100);
}

// Whole powers, every step-th; few enough for `most`.
std::vector<NumberTick> powers(const NumberAxis& axis, double begin, double end, double most) {
  const auto step = std::max(1, static_cast<int>(std::ceil((end - begin) / most - 1e-9)));
  std::vector<NumberTick> ticks;
  const int last = static_cast<int>(std::floor(end + 1e-9));
  for (int e = static_cast<int>(std::ceil(begin - 1e-9)); e <= last; ++e)
    if (e % step == 0)
      ticks.push_back({fromCoordinate(axis.scale, e), tickText(axis.scale, e)});
  return ticks;
}

// Round numbers at equal distances.
std::vector<NumberTick> steps(const NumberAxis& axis, double most) {
  const double least = (axis.end - axis.begin) / most;
  const double step = roundStep(axis.whole ? std::max(least, 1.0) : least);
  std::vector<NumberTick> ticks;
  const double first = std::ceil(axis.begin / step - 1e-9);
  for (double k = first; k * step <= axis.end + 1e-9 * step; ++k)
    ticks.push_back({k * step, plainNumber(k * step, step)});
  return ticks;
}

} // namespace

NumberAxis axisOver(std::string label, Scale scale, std::span<const double> values, bool round) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double value : values)
    if (shown(scale, value)) {
      low = std::min(low, coordinate(scale, value));
      high = std::max(high, coordinate(scale, value));
    }
  if (low > high)
    low = high = 0;
  if (round || low == high) {
    // A single value stands in the middle of the axis, but nothing at its beginning.
    const double unit = scale == Scale::Linear && low < high ? roundStep((high - low) / 5) : 1;
    const bool single = low == high;
    const bool nothing = single && scale == Scale::Linear && low == 0;
    low = std::floor(low / unit + 1e-9) * unit - (single && !nothing ? unit : 0);
    high = std::ceil(high / unit - 1e-9) * unit + (single ? unit : 0);
  }
  return {std::move(label), scale, fromCoordinate(scale, low), fromCoordinate(scale, high), false};
}

double shareOf(const NumberAxis& axis, double value) {
  const double begin = coordinate(axis.scale, axis.begin);
  const double share =
      (coordinate(axis.scale, value) - begin) / (coordinate(axis.scale, axis.end) - begin);
  return axis.downwards ? 1 - share : share;
}

double valueAt(const NumberAxis& axis, double share) {
  const double begin = coordinate(axis.scale, axis.begin);
  const double end = coordinate(axis.scale, axis.end);
  return fromCoordinate(axis.scale, begin + (axis.downwards ? 1 - share : share) * (end - begin));
}

std::vector<NumberTick> ticksOf(const NumberAxis& axis, double length, double gap) {
  const double most = std::max(length / gap, 1.0);
  if (axis.scale == Scale::Linear)
    return steps(axis, most);
  auto ticks =
      powers(axis, coordinate(axis.scale, axis.begin), coordinate(axis.scale, axis.end), most);
  // Less than two powers: the numbers themselves.
  return ticks.size() >= 2 ? ticks : steps(axis, most);
}

std::string powerOfTen(int exponent) {
  return "10" + raised(std::to_string(exponent));
}

} // namespace attention
