// What the Timings view measures: mechanisms against n on this machine. Plain data of the Scene.
#pragma once

#include "core/analysis/score/score_board.h"
#include "core/attention/features/feature_map.h"
#include "core/attention/kernel.h"
#include "core/pattern/pattern.h"
#include "core/scene/settings.h"

#include <vector>

namespace attention {

struct TimedMechanism {
  enum class Kind { Own, Pattern, Features, Linformer, Kernel }; // Own: the Scene's pattern
  Kind kind = Kind::Own;
  std::string title;                          // instead of its name, where it is not empty
  attention::Pattern pattern;                 // of Kind::Pattern
  FeatureMap features = FeatureMap::Positive; // with m orthogonal projections
  Index m = 64;
  bool causal = false; // features and kernels over keys j ≤ i only
  Index k = 64;        // projected keys of Linformer
  attention::Kernel kernel = attention::Kernel::Gaussian; // of Kind::Kernel: from its explicit rows
  bool operator==(const TimedMechanism&) const = default;
};

struct TimingsSpec {
  std::vector<TimedMechanism> mechanisms; // empty: usualMechanisms()
  Index from = 256;                       // n, doubled while not above `to`
  Index to = 16384;
  Index d = 64;
  Index heads = 1;
  Index threads = 1;
  bool operator==(const TimingsSpec&) const = default;
};

const Settings<TimedMechanism>& timedSettings(); // without its pattern
const Settings<TimingsSpec>& timingsSettings();  // without the mechanisms

constexpr std::size_t kMostTimed = 8; // as many as there are hues
constexpr Index kMostTimedLength = Index{1} << 20;

// The Scene's pattern, full attention and FAVOR+.
std::vector<TimedMechanism> usualMechanisms();
// The mechanisms to time, `own` being the Scene's pattern; by default the usual ones, each once.
std::vector<TimedMechanism> mechanismsOf(const TimingsSpec& spec, const Pattern& own);

// Whether the Scene's pattern is among them.
bool timesOwn(const std::vector<TimedMechanism>& mechanisms);

// E_RANGE: from, to, d, heads, threads or the number of mechanisms out of range.
void checkTimings(const TimingsSpec& spec);
// from, 2 from, 4 from … ≤ to, for values that checkTimings refuses, those of the nearest allowed
// ones.
std::vector<Index> timedSizes(const TimingsSpec& spec);

// What is timed for it, `own` being the Scene's pattern and d the width of a head.
ScoredMethod scoredMethod(const TimedMechanism& mechanism, const Pattern& own, Index d);

} // namespace attention
