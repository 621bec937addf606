#include "core/scene/moving.h"

#include "core/scene/shown_patterns.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr std::size_t kUsualFrames = 60; // at most, where no step is given
constexpr double kMostTried = 1000;      // values, of which the allowed are taken

// Tries values on a Scene of its own.
class Trial {
public:
  Trial(const Moving& moving, const Scene& scene, Index n)
      : moving_(moving), scene_(scene), n_(n) {}

  void require(double value) {
    if (!moving_.decides)
      return;
    moving_.set(scene_, value);
    checkShown(scene_, n_);
  }
  bool allows(double value) {
    try {
      require(value);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

private:
  const Moving& moving_;
  Scene scene_;
  Index n_;
};

void requireNumber(const Moving& moving, std::optional<double> value) {
  if (value && (!std::isfinite(*value) || (moving.whole && *value != std::floor(*value))))
    throwRange("sweep", shortest(*value),
               moving.whole ? moving.name + " in whole numbers" : "numbers that are finite");
}

// A whole number of steps from `from` towards `to`.
std::vector<double> inSteps(double from, double to, double step) {
  const double length = std::abs(to - from);
  const double steps = length > 0 ? std::floor(length / step + 1e-9) : 0;
  std::vector<double> values;
  for (double k = 0; k <= steps; ++k)
    values.push_back(to < from ? from - k * step : from + k * step);
  return values;
}

std::vector<double> allowedValues(const Moving& moving, const Sweep& sweep, Trial& trial) {
  const double from = sweep.from.value_or(moving.from);
  const double to = sweep.to.value_or(moving.to);
  const auto unit = static_cast<double>(sweep.from ? 1 : moving.unit);
  const double length = std::abs(to - from);
  const double step = moving.whole ? unit * std::max(1.0, std::ceil(length / unit / kMostTried))
                                   : length / (kUsualFrames - 1);
  std::vector<double> values = inSteps(from, to, step);
  std::erase_if(values, [&](double value) { return !trial.allows(value); });
  return values;
}

// The first, and every so many after it.
std::vector<double> thinned(const std::vector<double>& values) {
  const std::size_t each = values.size() < 2 ? 1 : (values.size() - 2) / (kUsualFrames - 1) + 1;
  std::vector<double> kept;
  for (std::size_t k = 0; k < values.size(); k += each)
    kept.push_back(values[k]);
  return kept;
}

std::vector<double> steppedValues(double from, double to, double step, Trial& trial) {
  const double length = std::abs(to - from);
  if (step == 0 && length > 0)
    throwRange("step", "0", "a number other than 0");
  if (length > 0 && length / step >= static_cast<double>(kMostFrames))
    throwRange("step", shortest(step),
               "so large a step that there are at most " + std::to_string(kMostFrames) + " frames");
  std::vector<double> values = inSteps(from, to, step);
  for (const double value : values)
    trial.require(value);
  return values;
}

} // namespace

std::vector<double> valuesOf(const Moving& moving, const Sweep& sweep, const Scene& scene,
                             Index n) {
  Trial trial(moving, scene, n);
  for (const auto& value : {sweep.from, sweep.to, sweep.step})
    requireNumber(moving, value);
  if (sweep.from)
    trial.require(*sweep.from);
  if (sweep.to && !sweep.step) // steps may end before it
    trial.require(*sweep.to);
  const std::vector<double> allowed = allowedValues(moving, sweep, trial);
  if (allowed.empty())
    throwRange("sweep", "a range of " + moving.name + " that the patterns do not allow",
               "one with a value that they do");
  if (!sweep.step)
    return thinned(allowed);
  return steppedValues(sweep.from.value_or(allowed.front()), sweep.to.value_or(allowed.back()),
                       std::abs(*sweep.step), trial);
}

bool canMove(const Moving& moving, const Scene& scene, Index n) {
  Trial trial(moving, scene, n);
  return !moving.decides || allowedValues(moving, {}, trial).size() > 1;
}

} // namespace attention
