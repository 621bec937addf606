#include "core/plot/number_axis.h"

#include "core/plot/ticks.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attention {
namespace {

constexpr double kShortDecades = 2;    // an axis of less has its ends and ticks within decades
constexpr double kOnFrame = 0.02;      // of an axis: closer to its end, a value seems to lie on it
constexpr double kBeyondValues = 0.04; // of an axis, beyond such a value
constexpr std::size_t kFewPowers = 3;  // with fewer, ticks within decades say more

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
std::string stepNumber(double value, double step) {
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

// Whether all decades of an axis are written as plain numbers, 0.001 … 10 000, none as a power of
// ten. The axis may go slightly beyond them.
bool isPlain(const NumberAxis& axis) {
  return axis.begin > 0.5e-3 && axis.end < 2e4;
}

std::string powerText(const NumberAxis& axis, int exponent) {
  if (axis.scale == Scale::Log10)
    return isPlain(axis)
               ? stepNumber(std::pow(10.0, exponent), std::pow(10.0, std::min(exponent, 0)))
               : powerOfTen(exponent);
  if (exponent >= 0 && exponent <= 20)
    return groupedDigits(1L << exponent);
  return stepNumber(std::exp2(exponent), std::exp2(exponent) / 100);
}

// Whole powers, every step-th; few enough for `most`.
std::vector<NumberTick> powers(const NumberAxis& axis, double begin, double end, double most) {
  const auto step = std::max(1, static_cast<int>(std::ceil((end - begin) / most - 1e-9)));
  std::vector<NumberTick> ticks;
  const int last = static_cast<int>(std::floor(end + 1e-9));
  for (int e = static_cast<int>(std::ceil(begin - 1e-9)); e <= last; ++e)
    if (e % step == 0)
      ticks.push_back({fromCoordinate(axis.scale, e), powerText(axis, e)});
  return ticks;
}

// A few of 1 … 9 in every decade.
std::vector<NumberTick> withinDecades(const NumberAxis& axis, std::span<const int> factors) {
  const bool plain = isPlain(axis);
  std::vector<NumberTick> ticks;
  const int last = static_cast<int>(std::floor(std::log10(axis.end) + 1e-9));
  for (int e = static_cast<int>(std::floor(std::log10(axis.begin))); e <= last; ++e)
    for (const int factor : factors) {
      const double at = factor * std::pow(10.0, e);
      if (at < axis.begin * (1 - 1e-9) || at > axis.end * (1 + 1e-9))
        continue;
      const std::string times = factor == 1 ? "" : std::to_string(factor) + " × ";
      ticks.push_back(
          {at, plain ? stepNumber(at, std::pow(10.0, std::min(e, 0))) : times + powerOfTen(e)});
    }
  return ticks;
}

// Between decades at 1, 2 and 5, or, where those have no room, at 1 and 3. None if neither have.
std::vector<NumberTick> withinDecades(const NumberAxis& axis, double most) {
  constexpr std::array kFine{1, 2, 5};
  constexpr std::array kCoarse{1, 3};
  const double decades = std::log10(axis.end / axis.begin);
  if (decades <= most * std::log10(2.0))
    return withinDecades(axis, kFine);
  if (decades <= most * std::log10(3.0))
    return withinDecades(axis, kCoarse);
  return {};
}

std::vector<NumberTick> cellTicks(const NumberAxis& axis, double least) {
  const auto count = static_cast<Index>(axis.end);
  std::vector<NumberTick> ticks;
  for (const Index cell : numberedCells(count, 0, count, least))
    ticks.push_back({static_cast<double>(cell) + 0.5, groupedDigits(cell)});
  return ticks;
}

// Round numbers at equal distances.
std::vector<NumberTick> steps(const NumberAxis& axis, double most) {
  const double least = (axis.end - axis.begin) / most;
  if (axis.cells)
    return cellTicks(axis, std::max(least, 1.0));
  const double step = roundStep(axis.whole ? std::max(least, 1.0) : least);
  std::vector<NumberTick> ticks;
  const double first = std::ceil(axis.begin / step - 1e-9);
  for (double k = first; k * step <= axis.end + 1e-9 * step; ++k)
    ticks.push_back({k * step, stepNumber(k * step, step)});
  return ticks;
}

// Of an axis, as coordinates.
struct Ends {
  double low;
  double high;
};

// A single value stands in the middle of the axis, but nothing at its beginning.
Ends endsAround(Scale scale, double value) {
  const bool nothing = scale == Scale::Linear && value == 0;
  return {std::floor(value + 1e-9) - (nothing ? 0 : 1), std::ceil(value - 1e-9) + 1};
}

// The nearest of 1, 2, 5 and 10 in the decade of an exponent, at most or at least as large.
double roundExponent(double exponent, bool up) {
  const double decade = std::floor(exponent + 1e-9);
  double below = 0;
  for (const double factor : {2.0, 5.0, 10.0}) {
    const double above = std::log10(factor);
    if (exponent - decade < above - 1e-9)
      return decade + (up && exponent - decade > below + 1e-9 ? above : below);
    below = above;
  }
  return decade + below;
}

// At the round numbers around the values, on short logarithmic axes at 1, 2 or 5; or a little
// beyond where a value would lie on the frame. Zero is an end of its own.
Ends roundEnds(Scale scale, const Ends& values) {
  const double span = values.high - values.low;
  Ends ends{};
  if (scale == Scale::Log10 && span < kShortDecades) {
    ends = {roundExponent(values.low, false), roundExponent(values.high, true)};
  } else {
    const double unit = scale == Scale::Linear ? roundStep(span / 5) : 1;
    ends = {std::floor(values.low / unit + 1e-9) * unit,
            std::ceil(values.high / unit - 1e-9) * unit};
  }
  const double length = ends.high - ends.low;
  const auto isZero = [&](double value) { return scale == Scale::Linear && value == 0; };
  if (values.low < ends.low + kOnFrame * length && !isZero(ends.low))
    ends.low = values.low - kBeyondValues * length;
  if (values.high > ends.high - kOnFrame * length && !isZero(ends.high))
    ends.high = values.high + kBeyondValues * length;
  return ends;
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
  const Ends ends = low == high ? endsAround(scale, low)
                    : round     ? roundEnds(scale, {low, high})
                                : Ends{low, high};
  return {std::move(label), scale, fromCoordinate(scale, ends.low),
          fromCoordinate(scale, ends.high), false};
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
  if (axis.scale == Scale::Log10 && ticks.size() < kFewPowers)
    if (auto finer = withinDecades(axis, most); finer.size() > ticks.size() && finer.size() > 1)
      return finer;
  // Fewer than two powers: the plain numbers.
  return ticks.size() >= 2 ? ticks : steps(axis, most);
}

double roundTowardZero(double value) {
  constexpr double kSlack = 1e-6; // of weights that are floats: 0.99999994 is 1
  const double magnitude = std::abs(value);
  if (!(magnitude > 0))
    return 0;
  const double decade = std::pow(10.0, std::floor(std::log10(magnitude) + kSlack));
  for (const double factor : {5.0, 2.0})
    if (factor * decade <= magnitude * (1 + kSlack))
      return std::copysign(factor * decade, value);
  return std::copysign(decade, value);
}

std::string powerOfTen(int exponent) {
  return "10" + raised(std::to_string(exponent));
}

} // namespace attention
