#include "core/scene/steps_spec.h"

#include "core/scene/settings_builder.h"

namespace attention {
namespace {

constexpr double kMostSteps = 1e6;
constexpr double kMostTile = 1 << 20;

} // namespace

const Settings<StepsSpec>& stepsSettings() {
  using S = StepsSpec;
  const auto is = [](StepsBy by) { return [by](const S& of) { return of.by == by; }; };
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("by", &S::by, "How the output of the query is computed",
                  {{StepsBy::Softmax, "softmax", "", "Softmax over all visible keys at once"},
                   {StepsBy::Online, "online", "online softmax",
                    "Tile by tile with a running maximum and sum, as FlashAttention does"},
                   {StepsBy::Linear, "linear", "linear attention",
                    "exp(q·k) becomes φ(q)·φ(k) with φ = elu + 1"},
                   {StepsBy::Features, "features", "random features",
                    "exp(q·k) is estimated by positive random features"}})
          .label("computed by")
          .boolean("whole", &S::whole,
                   "All queries as matrices with their numbers, for up to 16 tokens")
          .label("whole matrix")
          .visibleIf(is(StepsBy::Softmax))
          .integer("step", "", &S::step, "The last step shown; 0 shows all steps", "",
                   between(0, kMostSteps))
          .handy(9)
          .integer("key_tile", "B", &S::keyTile, "Keys per tile", "", between(1, kMostTile))
          .handy(128)
          .visibleIf(is(StepsBy::Online))
          .integer("m", "m", &S::m, "Number of random projections", "",
                   between(1, static_cast<double>(kMostStepFeatures)))
          .label("projections m")
          .handy(256)
          .visibleIf(is(StepsBy::Features))
          .seed("seed", &S::seed, "Seed of the random projections")
          .visibleIf(is(StepsBy::Features))
          .boolean("normalized", &S::normalized, "Divide the output by the denominator")
          .visibleIf(
              [](const S& of) { return of.by == StepsBy::Linear || of.by == StepsBy::Features; })
          .build();
  return kAll;
}

} // namespace attention
