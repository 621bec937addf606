#include "core/views/model/model_sweep.h"

#include "core/pattern/pattern_title.h"
#include "core/support/error.h"
#include "core/views/model/scene_model.h"
#include "core/views/model/sweep_series.h"
#include "core/views/model/variant_names.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attention {
namespace {

std::string listOf(const std::vector<std::string>& words, const char* between) {
  return std::accumulate(words.begin(), words.end(), std::string(),
                         [&](const std::string& text, const std::string& word) {
                           return text.empty() ? word : text + between + word;
                         });
}

[[noreturn]] void failParameter(const ModelSpec& spec, const Pattern& own) {
  const std::string& name = spec.sweep.parameter;
  const std::vector<std::string> known = sweptParameters(spec, own);
  if (name.empty() || known.empty())
    throw Error(ErrorCode::Unsupported, "parameter",
                sweepsVariants(spec)
                    ? "no variant has a parameter that is a whole number; one must have a pattern "
                      "with one, such as the window of Local"
                    : mechanismTitle(own) +
                          " has no parameter that is a whole number; it must be a pattern with "
                          "one, such as the window of Local");
  throw Error(ErrorCode::Unknown, "parameter",
              "parameter is " + name + "; it must be one of " + listOf(known, ", "));
}

// Series over different numbers share the axis: "stride, window or sinks".
std::string axisOf(const std::vector<SweepSeries>& all) {
  std::vector<std::string> numbers;
  for (const SweepSeries& series : all)
    if (std::find(numbers.begin(), numbers.end(), series.number) == numbers.end())
      numbers.push_back(series.number);
  const std::string last = numbers.empty() ? std::string() : numbers.back();
  if (numbers.size() < 2)
    return last;
  numbers.pop_back();
  return listOf(numbers, ", ") + " or " + last;
}

void addValues(SweepPlan& plan, const std::vector<SweptVariant>& all, const SweepPlace& at,
               const Run& run) {
  std::vector<std::string> givenNames;
  const std::string shared = sharedNumber(all);
  for (const SweptVariant& swept : all)
    if (auto series = seriesOfValues(swept, shared, at, run)) {
      plan.series.push_back(std::move(*series));
      givenNames.push_back(swept.given.name);
    } else
      plan.left.push_back(swept.given.name);
  std::vector<std::string> names;
  for (const SweepSeries& series : plan.series)
    names.push_back(series.name);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::count(names.begin(), names.end(), names[k]) > 1) // both "Local"
      plan.series[k].name = givenNames[k];
  plan.axis = axisOf(plan.series);
}

} // namespace

bool sweepsVariants(const ModelSpec& spec) {
  return spec.sweep.variants && !spec.variants.empty();
}

std::vector<SweptVariant> sweptVariants(const ModelSpec& spec, const Pattern& own,
                                        const Model& model, Index n) {
  if (!sweepsVariants(spec))
    return {{{sizedTitle(own, n), {{{}, {}, own}}}}};
  ModelSpec kept = spec;
  kept.own = false;
  std::vector<SweptVariant> all;
  for (ModelVariant& variant : givenVariants(kept, own, model))
    all.push_back({std::move(variant), all.size() + 1});
  if (all.size() > 1)
    for (SweptVariant& swept : all)
      swept.prefix = swept.given.name + ": ";
  return all;
}

SweepPlan sweepPlan(const ModelSpec& spec, const Pattern& own, const Model& model, Index n,
                    const Run& run) {
  check(spec);
  SweepPlan plan;
  plan.over = spec.sweep.over;
  plan.variants = sweepsVariants(spec);
  plan.others = spec.sweep.others && plan.over != ModelSweep::Parameter;
  const std::vector<SweptVariant> all = sweptVariants(spec, own, model, n);
  const SweepPlace at{spec.sweep, model, n};
  if (plan.over == ModelSweep::Parameter) {
    addValues(plan, all, at, run);
    if (plan.series.empty())
      failParameter(spec, own);
    return plan;
  }
  plan.axis = plan.over == ModelSweep::Layers ? "layer"
                                              : "head of layer " + std::to_string(spec.sweep.layer);
  for (const SweptVariant& swept : all)
    plan.series.push_back(seriesOfPlaces(swept, at, run));
  return plan;
}

// Step by step of all series, so that they grow beside each other.
std::vector<ModelVariant> variantsOf(const SweepPlan& plan) {
  std::vector<ModelVariant> all;
  std::size_t most = 0;
  for (const SweepSeries& series : plan.series) {
    if (series.everywhere)
      all.push_back(*series.everywhere);
    most = std::max(most, series.steps.size());
  }
  for (std::size_t k = 0; k < most; ++k)
    for (const SweepSeries& series : plan.series)
      if (k < series.steps.size())
        all.push_back(series.steps[k].variant);
  return all;
}

} // namespace attention
