#include "core/scene/compare_spec.h"

#include "core/support/error.h"

namespace attention {
namespace {

constexpr Index kGrey = 7; // of the series: what is in both

Panel windowOf(const char* title, const char* mechanism, const char* parameter, Index value) {
  Panel panel{title, patternNamed(mechanism)};
  set(panel.pattern, parameter, Value(value));
  return panel;
}

TimedMechanism scoredPattern(const char* name) {
  TimedMechanism mechanism;
  mechanism.kind = TimedMechanism::Kind::Pattern;
  mechanism.pattern = patternNamed(name);
  return mechanism;
}

void requireCount(const char* name, std::size_t count, std::size_t least, std::size_t most) {
  if (count < least || count > most)
    throwRange(name, std::to_string(count), std::to_string(least) + " to " + std::to_string(most));
}

} // namespace

std::vector<Panel> usualCompared() {
  std::vector<Panel> panels{windowOf("W keys: i − j < 6", "local", "window", 6),
                            windowOf("W + 1 keys: i − j ≤ 6", "sliding_window", "left", 6)};
  set(panels[0].pattern, "causal", Value(true));
  set(panels[1].pattern, "right", Value(Index{0}));
  return panels;
}

std::vector<TimedMechanism> usualScored() {
  std::vector<TimedMechanism> all;
  for (const char* name : {"causal", "local", "strided", "fixed", "longformer", "topk", "lsh"})
    all.push_back(scoredPattern(name));
  TimedMechanism features;
  features.kind = TimedMechanism::Kind::Features;
  TimedMechanism linformer;
  linformer.kind = TimedMechanism::Kind::Linformer;
  all.insert(all.end(), {features, linformer});
  return all;
}

std::vector<Panel> comparedOf(const CompareSpec& spec) {
  return spec.patterns.empty() ? usualCompared() : spec.patterns;
}

std::vector<TimedMechanism> scoredOf(const CompareSpec& spec) {
  return spec.scored.empty() ? usualScored() : spec.scored;
}

void checkCompare(const CompareSpec& spec) {
  const auto count = static_cast<Index>(comparedOf(spec).size());
  requireCount("compare.patterns", static_cast<std::size_t>(count), kLeastCompared, kMostCompared);
  requireCount("compare.scored", scoredOf(spec).size(), 1, kMostScored);
  for (const auto& [name, place] :
       {std::pair("compare.first", spec.first), std::pair("compare.second", spec.second)})
    if (place < 0 || place >= count)
      throwRange(name, std::to_string(place), "an integer from 0 to " + std::to_string(count - 1));
  if (spec.first == spec.second)
    throwRange("compare.second", std::to_string(spec.second), "another one than compare.first");
}

std::vector<Panel> comparedPanels(const CompareSpec& spec) {
  checkCompare(spec);
  std::vector<Panel> panels = comparedOf(spec);
  const Panel& first = panels[static_cast<std::size_t>(spec.first)];
  const Panel& second = panels[static_cast<std::size_t>(spec.second)];
  const auto of = [&](Operation operation, const Pattern& a, const Pattern& b) {
    return Pattern(Compose(operation, {a, b}));
  };
  Panel difference;
  difference.title = "difference";
  difference.pattern =
      Compose(Operation::Union, {of(Operation::Intersection, first.pattern, second.pattern),
                                 of(Operation::Difference, first.pattern, second.pattern),
                                 of(Operation::Difference, second.pattern, first.pattern)});
  difference.parts = {{"in both", kGrey}, {"first alone", 0}, {"second alone", 1}};
  panels.push_back(std::move(difference));
  return panels;
}

} // namespace attention
