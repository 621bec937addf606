#include "core/plot/point_words.h"

#include "core/support/number_text.h"

#include <cmath>

namespace attention {
namespace {

// Whole numbers up to `most` as they are, others to so many digits.
std::string numberText(double value, double most, int digits) {
  if (value != std::floor(value) || std::abs(value) > most)
    return readableNumber(value, digits);
  return groupedDigits(std::llround(value));
}

std::string named(const std::string& name, const std::string& number) {
  return name.empty() ? number : name + " = " + number;
}

} // namespace

std::string pointWords(const CurvesMark& mark, const std::string& label, const Point& point,
                       const std::string& number) {
  constexpr double kMostTokens = 1e15; // and whatever else is counted along x
  constexpr double kMostCounted = 1e6;
  return (label.empty() ? "" : label + " · ") +
         named(mark.x.label, numberText(point.x, kMostTokens, 4)) + ": " +
         named(mark.y.label.empty() ? number : mark.y.label, numberText(point.y, kMostCounted, 3));
}

} // namespace attention
