#include "core/model/rotary_frequencies.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <cmath>
#include <numbers>

namespace attention {
namespace {

void requirePositive(const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throwRange(name, shortest(value), "a number above 0");
}

double llama3(double frequency, const RotationSpec& spec) {
  // How often the wave fits into the original length.
  const double waves = spec.original * frequency / (2 * std::numbers::pi);
  if (waves > spec.highFactor)
    return frequency;
  if (waves < spec.lowFactor)
    return frequency / spec.factor;
  const double kept = (waves - spec.lowFactor) / (spec.highFactor - spec.lowFactor);
  return (1 - kept) * frequency / spec.factor + kept * frequency;
}

void checkSpec(const RotationSpec& spec) {
  requirePositive("rope_theta", spec.base);
  requirePositive("factor", spec.factor);
  for (const double divisor : spec.divisors)
    requirePositive("the factor of a frequency", divisor);
  if (spec.scaling != RotationScaling::Llama3)
    return;
  requirePositive("low_freq_factor", spec.lowFactor);
  requirePositive("high_freq_factor", spec.highFactor);
  requirePositive("original_max_position_embeddings", spec.original);
  if (spec.lowFactor >= spec.highFactor)
    throwRange("low_freq_factor", shortest(spec.lowFactor),
               "less than high_freq_factor, " + shortest(spec.highFactor));
}

} // namespace

RotationScaling rotationScalingNamed(const std::string& subject, std::string_view name) {
  if (name == "default" || name == "none")
    return RotationScaling::None;
  if (name == "linear")
    return RotationScaling::Linear;
  if (name == "llama3")
    return RotationScaling::Llama3;
  throw Error(ErrorCode::Unsupported, subject,
              subject + " is " + excerpt(name) + "; it must be default, linear or llama3");
}

void requireInHead(const RotationSpec& spec, const std::string& field, Index headWidth) {
  if (turnedNumbers(spec) > headWidth)
    throwRange(field, std::to_string(headWidth),
               "at least " + std::to_string(turnedNumbers(spec)) +
                   ", since rotary positions rotate that many numbers per head");
}

std::shared_ptr<const Rotation> rotationOf(const RotationSpec& spec) {
  checkSpec(spec);
  auto rotation = std::make_shared<Rotation>();
  rotation->width = turnedNumbers(spec);
  const Index pairs = rotation->width / 2;
  for (Index i = 0; i < pairs; ++i) {
    const double exponent = 2 * static_cast<double>(i) / static_cast<double>(spec.width);
    const double frequency = std::pow(spec.base, -exponent);
    rotation->frequencies.push_back(
        spec.scaling == RotationScaling::Linear   ? frequency / spec.factor
        : spec.scaling == RotationScaling::Llama3 ? llama3(frequency, spec)
                                                  : frequency);
  }
  for (std::size_t i = 0; i < spec.divisors.size(); ++i)
    rotation->frequencies[i] /= spec.divisors[i];
  return rotation;
}

} // namespace attention
