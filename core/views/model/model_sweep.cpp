#include "core/views/model/model_sweep.h"

#include "core/pattern/pattern_title.h"
#include "core/support/error.h"
#include "core/views/model/scene_model.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

constexpr Index kFirstSwept = 16; // tokens

using Places = std::optional<std::vector<Index>>;

Places allBut(Index count, Index one) {
  std::vector<Index> places;
  for (Index k = 0; k < count; ++k)
    if (k != one)
      places.push_back(k);
  return places;
}

// The one place, or all others.
Places placesAt(const ModelSweepSpec& spec, Index count, Index one) {
  return spec.others ? allBut(count, one) : Places(std::vector<Index>{one});
}

void sweepLayers(SweepPlan& plan, const ModelSweepSpec& spec, const Pattern& mask,
                 const Model& model) {
  plan.axis = "layer";
  const auto layers = static_cast<Index>(model.layers.size());
  for (Index layer = 0; layer < layers; ++layer)
    plan.steps.push_back({static_cast<double>(layer),
                          {"layer " + std::to_string(layer),
                           {{placesAt(spec, layers, layer), std::nullopt, mask}}}});
  if (spec.others)
    plan.everywhere = ModelVariant{"all layers", {{std::nullopt, std::nullopt, mask}}};
}

void sweepHeads(SweepPlan& plan, const ModelSweepSpec& spec, const Pattern& mask,
                const Model& model) {
  const auto layers = static_cast<Index>(model.layers.size());
  if (spec.layer >= layers)
    throwRange("layer", std::to_string(spec.layer), "from 0 to " + std::to_string(layers - 1));
  plan.axis = "head of layer " + std::to_string(spec.layer);
  const std::vector<Index> layer{spec.layer};
  for (Index head = 0; head < model.heads; ++head)
    plan.steps.push_back(
        {static_cast<double>(head),
         {"head " + std::to_string(head), {{layer, placesAt(spec, model.heads, head), mask}}}});
  if (spec.others)
    plan.everywhere = ModelVariant{"all heads", {{layer, std::nullopt, mask}}};
}

bool varies(const Parameter& parameter, const Pattern& pattern) {
  return parameter.type == ParameterType::Integer && parameter.visible(pattern);
}

// The named one; else the first number of tokens, or the first number.
const Parameter& sweptParameter(const Pattern& pattern, const std::string& name) {
  const auto& all = description(pattern).parameters;
  const Parameter* found = nullptr;
  for (const Parameter& parameter : all) {
    if (!varies(parameter, pattern))
      continue;
    if (name.empty() ? !found || (found->unit != "tokens" && parameter.unit == "tokens")
                     : parameter.name == name)
      found = &parameter;
  }
  if (found)
    return *found;
  if (name.empty())
    throw Error(ErrorCode::Unsupported, "parameter",
                mechanismTitle(pattern) +
                    " has no whole number that can be varied; it must be a pattern with one, such "
                    "as the window of Local");
  const std::vector<std::string> known = sweptParameters(pattern);
  throw Error(ErrorCode::Unknown, "parameter",
              "parameter is " + name + "; it must be one of " +
                  std::accumulate(known.begin(), known.end(), std::string(),
                                  [](const std::string& text, const std::string& each) {
                                    return text.empty() ? each : text + ", " + each;
                                  }));
}

// 16, 32, 64 … n, of other numbers 1, 2, 4 …, as far as the bounds allow.
std::vector<Index> usualValues(const Pattern& pattern, const Parameter& parameter, Index n) {
  const Bounds bounds = parameter.bounds(pattern, n);
  const double first = parameter.unit == "tokens" ? kFirstSwept : 1;
  const auto least = static_cast<Index>(std::max(first, bounds.minimum));
  const auto most = static_cast<Index>(std::min(static_cast<double>(n), bounds.maximum));
  std::vector<Index> values;
  for (Index value = least; value < most; value *= 2)
    values.push_back(value);
  values.push_back(std::max(most, std::min(least, n)));
  return values;
}

bool isAllowed(const Pattern& pattern, Index n) {
  try {
    check(pattern, squareLengths(n));
    return true;
  } catch (const Error&) {
    return false;
  }
}

void sweepValues(SweepPlan& plan, const ModelSweepSpec& spec, const Pattern& own,
                 const Model& model, Index n, const Run& run) {
  const Parameter& parameter = sweptParameter(own, spec.parameter);
  plan.axis = parameter.symbol.empty() ? parameter.name : parameter.name + " " + parameter.symbol;
  std::vector<Index> values = spec.values.empty() ? usualValues(own, parameter, n) : spec.values;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const Index value : values) {
    Pattern with = own;
    parameter.set(with, Value{value});
    if (isAllowed(with, n))
      plan.steps.push_back({static_cast<double>(value),
                            {parameter.name + " " + std::to_string(value),
                             {{std::nullopt, std::nullopt, maskFor(model, with, n, run)}}}});
  }
  if (plan.steps.empty())
    throwRange("values", std::to_string(values.front()), "values that the pattern allows");
}

} // namespace

SweepPlan sweepPlan(const ModelSpec& spec, const Pattern& own, const Model& model, Index n,
                    const Run& run) {
  check(spec);
  SweepPlan plan;
  plan.over = spec.sweep.over;
  plan.others = spec.sweep.others && plan.over != ModelSweep::Parameter;
  plan.pattern = titleText(own);
  if (plan.over == ModelSweep::Parameter) {
    plan.pattern = mechanismTitle(own);
    sweepValues(plan, spec.sweep, own, model, n, run);
    return plan;
  }
  const Pattern mask = maskFor(model, own, n, run);
  if (plan.over == ModelSweep::Layers)
    sweepLayers(plan, spec.sweep, mask, model);
  else
    sweepHeads(plan, spec.sweep, mask, model);
  return plan;
}

std::vector<ModelVariant> variantsOf(const SweepPlan& plan) {
  std::vector<ModelVariant> all;
  if (plan.everywhere)
    all.push_back(*plan.everywhere);
  for (const SweepStep& step : plan.steps)
    all.push_back(step.variant);
  return all;
}

std::vector<std::string> sweptParameters(const Pattern& pattern) {
  std::vector<std::string> names;
  for (const Parameter& parameter : description(pattern).parameters)
    if (varies(parameter, pattern))
      names.push_back(parameter.name);
  return names;
}

} // namespace attention
