#include "core/scene/timings_spec.h"

#include "core/pattern/mechanism/full.h"
#include "core/scene/score_words.h"
#include "core/scene/settings_builder.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kMostDragged = 512; // projections and projected keys

std::vector<ChoiceOf<FeatureMap>> maps() {
  std::vector<ChoiceOf<FeatureMap>> all;
  for (const FeatureMap map : {FeatureMap::Trig, FeatureMap::GaussianTrig, FeatureMap::Positive,
                               FeatureMap::Hyperbolic, FeatureMap::Relu, FeatureMap::Elu1})
    all.push_back({map, std::string(name(map)), {}, meaningOf(map)});
  return all;
}

std::vector<ChoiceOf<Kernel>> kernels() {
  std::vector<ChoiceOf<Kernel>> all;
  for (const Kernel kernel : {Kernel::Softmax, Kernel::Gaussian, Kernel::Elu1, Kernel::Relu})
    all.push_back({kernel, std::string(name(kernel)), {}, {}});
  return all;
}

} // namespace

const Settings<TimedMechanism>& timedSettings() {
  using S = TimedMechanism;
  using Kind = S::Kind;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("kind", &S::kind, "What is timed",
                  {{Kind::Own, "own", "", "The current pattern of the Mask view"},
                   {Kind::Pattern, "pattern", "", "A pattern"},
                   {Kind::Features, "features", "", "Random features"},
                   {Kind::Linformer, "linformer", "", "Projected keys and values"},
                   {Kind::Kernel, "kernel", "", "A kernel, exactly"}})
          .text("title", &S::title, "Instead of its name")
          .choice("features", &S::features, "Which features", maps())
          .integer("m", "", &S::m, "Projections of the random features, m", "", atLeast(1))
          .handy(kMostDragged)
          .visibleIf([](const S& of) {
            return of.kind == Kind::Features && takesProjections(of.features);
          })
          .boolean("causal", &S::causal, "Features and kernels over the keys j ≤ i only")
          .integer("k", "", &S::k, "Projected keys, k", "", atLeast(1))
          .handy(kMostDragged)
          .visibleIf([](const S& of) { return of.kind == Kind::Linformer; })
          .choice("kernel", &S::kernel, "Which kernel", kernels())
          .build();
  return kAll;
}

const Settings<TimingsSpec>& timingsSettings() {
  using S = TimingsSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .integer("from", "", &S::from, "The smallest length; each next one is twice as long", "",
                   between(1, kMostTimedLength))
          .label("from n")
          .usual({64, 128, 256, 512, 1024})
          .integer("to", "", &S::to,
                   "The largest length. A mechanism's curve stops at the length where one run "
                   "takes more than 100 ms",
                   "",
                   [](const S& of, Index) {
                     return Bounds{static_cast<double>(of.from), kMostTimedLength};
                   })
          .label("to n")
          .usual({256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536})
          .integer("d", "", &S::d, "Width of a head", "", between(1, 1024))
          .usual({16, 32, 64, 128, 256})
          .integer("heads", "", &S::heads, "Heads computed in each run, one after another", "",
                   between(1, 64))
          .label("model heads")
          .handy(16)
          .integer("threads", "", &S::threads,
                   "Threads that each run may use; the peak is measured with the same number", "",
                   between(1, 1024))
          .handy(std::max(2, resolvedThreads(0)))
          .build();
  return kAll;
}

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

bool timesOwn(const std::vector<TimedMechanism>& mechanisms) {
  return std::any_of(mechanisms.begin(), mechanisms.end(), [](const TimedMechanism& mechanism) {
    return mechanism.kind == TimedMechanism::Kind::Own;
  });
}

void checkTimings(const TimingsSpec& spec) {
  checkSettings(timingsSettings(), spec, "timings");
  if (spec.mechanisms.size() > kMostTimed)
    throwRange("timings.mechanisms", countText(spec.mechanisms.size(), "mechanism"),
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
