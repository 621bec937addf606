#include "core/attention/kernel_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

using Limits = std::numeric_limits<float>;

float narrowed(double x) {
  return static_cast<float>(
      std::clamp(x, static_cast<double>(Limits::lowest()), static_cast<double>(Limits::max())));
}

float infiniteBeyond(double x) {
  if (std::abs(x) <= static_cast<double>(Limits::max()))
    return static_cast<float>(x);
  return x > 0 ? Limits::infinity() : -Limits::infinity();
}

} // namespace

KernelScores::KernelScores(const Scoring& scoring) : biased_(!scoring.bias.none()) {
  const double factor = kLog2E / scoring.temperature;
  scale_ = static_cast<float>(factor * scoring.scale);
  cap_ = scoring.softcap ? std::max(narrowed(factor * *scoring.softcap), Limits::min()) : 0.0F;
  const PositionBias& bias = scoring.bias;
  bias_.first = scoring.biasFirst;
  bias_.before = narrowed(factor * bias.before);
  bias_.after = narrowed(factor * bias.after);
  if (bias.table) {
    for (const double b : *bias.table) // beyond floats: infinite, which the engine reports
      table_.push_back(infiniteBeyond(factor * b));
    bias_.table = table_.data();
    bias_.radius = static_cast<std::int32_t>(bias.radius());
  }
  if (scoring.softcap && scoring.biasFirst)
    bias_.perToken = narrowed(factor * bias.perToken);
  else
    perToken_ = bias.perToken / scoring.temperature;
}

} // namespace attention
