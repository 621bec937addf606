#include "app/gui/parameters/parameter_controls.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

bool isInteger(const Pattern& pattern, const Parameter& p) {
  return p.type == ParameterType::Integer && p.visible(pattern);
}

std::optional<Index> integerOf(const Pattern& pattern, const Parameter& p, Index n) {
  const Value value = p.resolved(pattern, n);
  const auto* integer = std::get_if<Index>(&value);
  return integer ? std::optional(*integer) : std::nullopt;
}

constexpr double kFar = 1e15; // beyond every length, and exact in both types

Index lowest(const Bounds& bounds) {
  return static_cast<Index>(std::ceil(std::clamp(bounds.minimum, -kFar, kFar)));
}
Index highest(const Bounds& bounds) {
  return static_cast<Index>(std::floor(std::clamp(bounds.maximum, -kFar, kFar)));
}

// How far a value from the lowest on lies above the last one that is allowed.
Index offStep(const Bounds& bounds, Index value) {
  return bounds.step > 1 ? (value - lowest(bounds)) % bounds.step : 0;
}

bool within(const Pattern& pattern, const Parameter& p, Index n) {
  const auto value = integerOf(pattern, p, n);
  const Bounds bounds = p.bounds(pattern, n);
  return !value ||
         (lowest(bounds) <= *value && *value <= highest(bounds) && offStep(bounds, *value) == 0);
}

Pattern with(Pattern pattern, const Parameter& p, Index value) {
  p.set(pattern, Value{value});
  return pattern;
}

// Moves `other` towards `end` by as little as puts `p` within its bounds; false where even the end
// does not.
bool makeRoom(Pattern& pattern, const Parameter& p, const Parameter& other, Index end, Index n) {
  const auto from = integerOf(pattern, other, n);
  if (!from || !within(with(pattern, other, end), p, n))
    return false;
  constexpr auto kFarIndex = static_cast<Index>(kFar);
  Index refused = std::clamp(*from, -kFarIndex, kFarIndex); // nothing has checked it yet
  Index good = end;
  while (std::abs(good - refused) > 1) {
    const Index middle = refused + (good - refused) / 2;
    (within(with(pattern, other, middle), p, n) ? good : refused) = middle;
  }
  pattern = with(pattern, other, good);
  return true;
}

// Moves another integer until `p` is within its bounds.
bool pullOthers(Pattern& pattern, const Parameter& p, Index n) {
  for (const Parameter& other : description(pattern).parameters) {
    if (other.name == p.name || !isInteger(pattern, other))
      continue;
    const Bounds reach = other.bounds(pattern, n);
    if (makeRoom(pattern, p, other, std::min(highest(reach), std::max<Index>(n, 1)), n) ||
        makeRoom(pattern, p, other, std::max<Index>(lowest(reach), 0), n))
      return true;
  }
  return false;
}

void clampValue(Pattern& pattern, const Parameter& p, Index n) {
  const auto value = integerOf(pattern, p, n);
  const Bounds bounds = p.bounds(pattern, n);
  if (!value || within(pattern, p, n))
    return;
  const Index inside =
      std::clamp(*value, lowest(bounds), std::max(lowest(bounds), highest(bounds)));
  pattern = with(pattern, p, inside - offStep(bounds, inside));
}

} // namespace

Pattern pulledAlong(const Pattern& start, const std::string& parameter, Index value, Index n) {
  const Parameter& p = parameterNamed(start, parameter);
  Pattern pattern = with(start, p, value);
  if (!within(pattern, p, n) && !pullOthers(pattern, p, n))
    clampValue(pattern, p, n);
  // Twice: a value that moved may bound the next one.
  for (int round = 0; round < 2; ++round)
    for (const Parameter& other : description(pattern).parameters)
      if (other.name != parameter && isInteger(pattern, other))
        clampValue(pattern, other, n);
  clampValue(pattern, p, n);
  return pattern;
}

Bounds reachOf(const Pattern& pattern, const Parameter& parameter, Index n) {
  const auto value = integerOf(pattern, parameter, n);
  const Index most = std::min(std::max<Index>({n, value.value_or(0), 1}), static_cast<Index>(kFar));
  Bounds reach = parameter.bounds(pattern, n);
  for (const Parameter& other : description(pattern).parameters) {
    if (other.name == parameter.name || !isInteger(pattern, other))
      continue;
    const Bounds range = other.bounds(pattern, n);
    for (const Index end : {std::max<Index>(lowest(range), 0), std::min(highest(range), most)}) {
      const Bounds loosened = parameter.bounds(with(pattern, other, end), n);
      reach.minimum = std::min(reach.minimum, loosened.minimum);
      reach.maximum = std::max(reach.maximum, loosened.maximum);
    }
  }
  reach.minimum = std::clamp(reach.minimum, -kFar, kFar);
  reach.maximum = std::max(reach.minimum + 1, std::min(reach.maximum, static_cast<double>(most)));
  return reach;
}

} // namespace attention::gui
