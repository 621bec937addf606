#include "core/views/moving.h"

#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/text.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace attention {
namespace {

constexpr std::size_t kUsualFrames = 60;   // at most, where no step is given
constexpr double kMostTried = 1000;        // steps of values tried; the allowed ones are taken
constexpr double kMostTriedFinely = 16384; // where those find fewer than two

Pattern withOutermostCells(Pattern pattern) {
  return withSources(std::move(pattern), [](auto source) {
    if constexpr (std::is_same_v<decltype(source), MaskSource>)
      return outermostCells(source);
    else
      return source;
  });
}

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

void requireNumber(const Moving& moving, const char* name, std::optional<double> value) {
  if (value && (!std::isfinite(*value) || (moving.whole && *value != std::floor(*value))))
    throwRange(name, shortest(*value),
               std::string(moving.whole ? "a whole number" : "a finite number") +
                   ", since it moves " + moving.name);
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

// The first `enough` of the values in these steps that are allowed.
std::vector<double> allowedOf(const std::vector<double>& values, Trial& trial, std::size_t enough) {
  std::vector<double> allowed;
  for (const double value : values) {
    if (allowed.size() == enough)
      break;
    if (trial.allows(value))
      allowed.push_back(value);
  }
  return allowed;
}

// So many units that there are at most `most` steps.
double stepOf(double length, double unit, double most) {
  return unit * std::max(1.0, std::ceil(length / unit / most));
}

// Coarse steps may miss every allowed value, as with odd lengths where an image has two rows: if
// they find fewer than two, all except the longest ranges are tried unit by unit.
std::vector<double> allowedValues(const Moving& moving, const Sweep& sweep, Trial& trial,
                                  std::size_t enough = std::numeric_limits<std::size_t>::max()) {
  const double from = sweep.from.value_or(moving.from);
  const double to = sweep.to.value_or(moving.to);
  const double length = std::abs(to - from);
  const auto found = [&](double step) { return allowedOf(inSteps(from, to, step), trial, enough); };
  if (!moving.whole)
    return found(length / (kUsualFrames - 1));
  const auto unit = static_cast<double>(sweep.from ? 1 : moving.unit);
  const double coarse = stepOf(length, unit, kMostTried);
  const double fine = stepOf(length, unit, kMostTriedFinely);
  std::vector<double> allowed = found(coarse);
  if (allowed.size() > 1 || fine == coarse)
    return allowed;
  std::vector<double> more = found(fine);
  return more.size() > allowed.size() ? more : allowed;
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
               "large enough for at most " + std::to_string(kMostFrames) + " frames");
  std::vector<double> values = inSteps(from, to, step);
  for (const double value : values)
    trial.require(value);
  return values;
}

} // namespace

Moving movingQuery(Index n) {
  return {"query", 0, static_cast<double>(n - 1), true,
          [](Scene& s, double value) { s.pins.query = whole(value); }};
}

Scene forTrials(Scene scene) {
  for (Pattern* pattern : drawnPatternsIn(scene))
    *pattern = withOutermostCells(std::move(*pattern));
  return scene;
}

std::vector<double> valuesOf(const Moving& moving, const Sweep& sweep, const Scene& scene,
                             Index n) {
  Trial trial(moving, scene, n);
  requireNumber(moving, "from", sweep.from);
  requireNumber(moving, "to", sweep.to);
  requireNumber(moving, "step", sweep.step);
  if (sweep.from)
    trial.require(*sweep.from);
  if (sweep.to && !sweep.step) // steps may end before it
    trial.require(*sweep.to);
  const std::vector<double> allowed = allowedValues(moving, sweep, trial);
  if (allowed.empty())
    throwRange("sweep", "a range of " + moving.name + " that the patterns do not allow",
               "one with at least one value that they allow");
  if (!sweep.step)
    return thinned(allowed);
  return steppedValues(sweep.from.value_or(allowed.front()), sweep.to.value_or(allowed.back()),
                       std::abs(*sweep.step), trial);
}

bool canMove(const Moving& moving, const Scene& scene, Index n) {
  Trial trial(moving, scene, n);
  return !moving.decides || allowedValues(moving, {}, trial, 2).size() > 1;
}

} // namespace attention
