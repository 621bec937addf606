#include "core/scene/timings_spec.h"

#include "core/pattern/mechanism/full.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {

std::vector<TimedMechanism> usualMechanisms() {
  TimedMechanism own;
  TimedMechanism full;
  full.kind = TimedMechanism::Kind::Pattern;
  TimedMechanism features;
  features.kind = TimedMechanism::Kind::Features;
  return {own, full, features};
}

std::vector<TimedMechanism> mechanismsOf(const TimingsSpec& spec, const Pattern& own) {
  if (!spec.mechanisms.empty())
    return spec.mechanisms;
  std::vector<TimedMechanism> usual = usualMechanisms();
  if (own == Pattern(Full{}))
    usual.erase(usual.begin());
  return usual;
}

void checkTimings(const TimingsSpec& spec) {
  requireBetween("timings.from", spec.from, 1, kMostTimedLength);
  requireBetween("timings.to", spec.to, spec.from, kMostTimedLength);
  requireBetween("timings.d", spec.d, 1, 1024);
  requireBetween("timings.heads", spec.heads, 1, 64);
  requireBetween("timings.threads", spec.threads, 1, 1024);
  if (spec.mechanisms.size() > kMostTimed)
    throwRange("timings.mechanisms", std::to_string(spec.mechanisms.size()) + " mechanisms",
               "at most " + std::to_string(kMostTimed));
}

std::vector<Index> timedSizes(const TimingsSpec& spec) {
  std::vector<Index> sizes;
  const Index most = std::min(spec.to, kMostTimedLength);
  for (Index n = std::max<Index>(spec.from, 1); n <= most; n *= 2)
    sizes.push_back(n);
  return sizes;
}

ScoredMethod scoredMethod(const TimedMechanism& mechanism, const Pattern& own, Index d) {
  switch (mechanism.kind) {
  case TimedMechanism::Kind::Pattern:
    return mechanism.pattern;
  case TimedMechanism::Kind::Features: {
    FeatureMethod method;
    method.features.map = mechanism.features;
    method.projection.rows = mechanism.m;
    method.projection.d = d;
    method.causal = mechanism.causal;
    return method;
  }
  case TimedMechanism::Kind::Linformer:
    return LinformerMethod{mechanism.k, 0};
  case TimedMechanism::Kind::Kernel:
    return KernelMethod{mechanism.kernel, mechanism.causal};
  case TimedMechanism::Kind::Own:
    break;
  }
  return own;
}

} // namespace attention
