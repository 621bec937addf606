// Sweeps over layers or heads: the masks in one place at a time, or in all others.
#include "core/support/error.h"
#include "core/views/model/scene_model.h"
#include "core/views/model/sweep_series.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attention {
namespace {

using Places = std::optional<std::vector<Index>>;

Places allBut(Index count, Index one) {
  std::vector<Index> places;
  for (Index k = 0; k < count; ++k)
    if (k != one)
      places.push_back(k);
  return places;
}

// Of these places the one, or all others.
Places placesAt(const Places& of, const ModelSweepSpec& spec, Index count, Index one) {
  if (!of)
    return spec.others ? allBut(count, one) : Places(std::vector<Index>{one});
  std::vector<Index> places;
  std::copy_if(of->begin(), of->end(), std::back_inserter(places),
               [&](Index place) { return (place == one) != spec.others; });
  return places;
}

// The rules within some layers and heads; those that are left without any are dropped.
template <class Layers, class Heads>
std::vector<Rule> rulesWithin(const std::vector<Rule>& rules, const Layers& layers,
                              const Heads& heads) {
  std::vector<Rule> within;
  for (const Rule& rule : rules) {
    Rule cut{layers(rule.layers), heads(rule.heads), rule.pattern};
    if ((!cut.layers || !cut.layers->empty()) && (!cut.heads || !cut.heads->empty()))
      within.push_back(std::move(cut));
  }
  return within;
}

// A step for each of `count` places; `rulesAt` gives its rules.
template <class RulesAt>
void addSteps(SweepSeries& series, const SweptVariant& swept, const char* place, Index count,
              const RulesAt& rulesAt) {
  for (Index k = 0; k < count; ++k) {
    std::string name = std::string(place) + " " + std::to_string(k);
    ModelVariant variant{swept.prefix + name, rulesAt(k)};
    series.steps.push_back({static_cast<double>(k), std::move(name), std::move(variant)});
  }
}

void sweepLayers(SweepSeries& series, const SweptVariant& swept, const std::vector<Rule>& rules,
                 const SweepPlace& at) {
  const auto layers = static_cast<Index>(at.model.layers.size());
  const auto asTheyAre = [](const Places& heads) { return heads; };
  addSteps(series, swept, "layer", layers, [&](Index layer) {
    return rulesWithin(
        rules, [&](const Places& of) { return placesAt(of, at.spec, layers, layer); }, asTheyAre);
  });
  if (at.spec.others)
    series.everywhere = ModelVariant{swept.prefix + "all layers", rules};
}

void sweepHeads(SweepSeries& series, const SweptVariant& swept, const std::vector<Rule>& rules,
                const SweepPlace& at) {
  const auto layers = static_cast<Index>(at.model.layers.size());
  const Index layer = at.spec.layer;
  if (layer >= layers)
    throwRange("layer", std::to_string(layer), "from 0 to " + std::to_string(layers - 1));
  const auto inLayer = [&](const Places& of) {
    const bool names = !of || std::find(of->begin(), of->end(), layer) != of->end();
    return Places(names ? std::vector<Index>{layer} : std::vector<Index>());
  };
  addSteps(series, swept, "head", at.model.heads, [&](Index head) {
    return rulesWithin(rules, inLayer, [&](const Places& of) {
      return placesAt(of, at.spec, at.model.heads, head);
    });
  });
  if (at.spec.others)
    series.everywhere =
        ModelVariant{swept.prefix + "all heads",
                     rulesWithin(rules, inLayer, [](const Places& heads) { return heads; })};
}

} // namespace

SweepSeries seriesOfPlaces(const SweptVariant& swept, const SweepPlace& at, const Run& run) {
  std::vector<Rule> rules = swept.given.rules;
  for (Rule& rule : rules)
    rule.pattern = maskFor(at.model, rule.pattern, at.n, run);
  SweepSeries series{swept.given.name, swept.hue};
  if (at.spec.over == ModelSweep::Layers)
    sweepLayers(series, swept, rules, at);
  else
    sweepHeads(series, swept, rules, at);
  return series;
}

} // namespace attention
