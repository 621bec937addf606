#include "core/scene/compare_spec.h"

#include "core/pattern/mechanism/composed.h"
#include "core/scene/settings_builder.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kGrey = 7;            // of the series: what is in both
constexpr std::size_t kHuedParts = 8; // parts beyond these have a single hue, the first's

std::string letterOf(Index place) {
  return std::string("(") + static_cast<char>('a' + place) + ")";
}

// One hue for all its parts, that of its place: where patterns are compared, colour tells which.
void giveHue(Panel& panel, Index place) {
  if (panel.parts.empty())
    panel.parts.assign(kHuedParts, PartLook{panel.title, place});
}

Panel windowOf(const char* title, const char* mechanism, const char* parameter, Index value) {
  Panel panel{title, patternNamed(mechanism)};
  set(panel.pattern, parameter, Value(value));
  return panel;
}

TimedMechanism scoredPattern(const char* name) {
  TimedMechanism mechanism;
  mechanism.kind = TimedMechanism::Kind::Pattern;
  mechanism.pattern = patternNamed(name);
  // As the windows that are compared at first.
  for (const Parameter& parameter : description(mechanism.pattern).parameters)
    if (parameter.name == "causal")
      set(mechanism.pattern, "causal", Value(true));
  return mechanism;
}

void requireCount(const char* name, std::size_t count, std::size_t least, std::size_t most) {
  if (count < least || count > most)
    throwRange(name, std::to_string(count), std::to_string(least) + " to " + std::to_string(most));
}

} // namespace

const Settings<CompareSpec>& compareSettings() {
  using S = CompareSpec;
  const auto place = [](const S& of, Index) {
    return Bounds{0, static_cast<double>(comparedOf(of).size()) - 1};
  };
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .integer("first", "", &S::first, "One of the two that are compared cell by cell", "",
                   place)
          .integer("second", "", &S::second, "The other of the two", "", place)
          .integer("chosen", "", &S::chosen, "The one that the controls edit", "", place)
          .boolean("match_pairs", &S::matchPairs,
                   "Give the others as many pairs as the chosen one has, by changing their "
                   "window, stride, k or block size, so that all are compared at equal cost")
          .label("match pairs")
          .choice("base", &S::base, "", attentionBases())
          .label("against")
          .choice(
              "columns", &S::columns, "Which columns of the score board are shown",
              {{ScoreColumns::Kept, "kept", "kept",
                "What is kept of dense attention, and with how many pairs"},
               {ScoreColumns::Weights, "weights", "weights",
                "Whether the largest weights are kept, and how spread out the weights are"},
               {ScoreColumns::Cost, "cost", "cost", "Work and memory by the cost model"},
               {ScoreColumns::Time, "time", "time",
                "Measured on this machine, while the window does its other work"},
               {ScoreColumns::Oracle, "oracle", "oracle",
                "What the pattern keeps of dense attention, next to an oracle: the best possible "
                "choice of the same number of blocks or keys"},
               {ScoreColumns::Choice, "choice", "choice",
                "Which blocks are chosen, and what choosing costs"}})
          .choice("sorted_by", &S::sortedBy, "What the score board is sorted by",
                  {{ScoreColumn::Name, "name", "", ""},
                   {ScoreColumn::Pairs, "pairs", "", ""},
                   {ScoreColumn::Mass, "mass", "", ""},
                   {ScoreColumn::Error, "error", "", ""},
                   {ScoreColumn::Recall, "recall", "", ""},
                   {ScoreColumn::Entropy, "entropy", "", ""},
                   {ScoreColumn::Flops, "flops", "", ""},
                   {ScoreColumn::Bytes, "bytes", "", ""},
                   {ScoreColumn::PrepareSeconds, "prepare_seconds", "", ""},
                   {ScoreColumn::Seconds, "seconds", "", ""},
                   {ScoreColumn::ChoiceRecall, "choice_recall", "", ""},
                   {ScoreColumn::OracleBlocks, "oracle_blocks_recall", "", ""},
                   {ScoreColumn::OracleKeys, "oracle_keys_recall", "", ""},
                   {ScoreColumn::BlockOverlap, "block_overlap", "", ""},
                   {ScoreColumn::BlockDensity, "block_density", "", ""},
                   {ScoreColumn::ChoosingShare, "choose_share", "", ""}})
          .boolean("rising", &S::rising, "Lowest first")
          .build();
  return kAll;
}

std::vector<Panel> usualCompared() {
  std::vector<Panel> panels{
      windowOf("window [6](window): i − j < [6](window)", "local", "window", 6),
      windowOf("window [6](left): i − j ≤ [6](left)", "sliding_window", "left", 6)};
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

std::size_t chosenPlace(const CompareSpec& spec) {
  const std::size_t count = spec.patterns.empty() ? kLeastCompared : spec.patterns.size();
  return static_cast<std::size_t>(std::clamp<Index>(spec.chosen, 0, static_cast<Index>(count) - 1));
}

void checkCompare(const CompareSpec& spec) {
  const auto count = static_cast<Index>(comparedOf(spec).size());
  requireCount("compare.patterns", static_cast<std::size_t>(count), kLeastCompared, kMostCompared);
  requireCount("compare.scored", scoredOf(spec).size(), 1, kMostScored);
  checkSettings(compareSettings(), spec, "compare");
  if (spec.first == spec.second)
    throwRange("compare.second", std::to_string(spec.second), "different from compare.first");
}

bool asksForChoices(const CompareSpec& spec) {
  return spec.columns == ScoreColumns::Oracle || spec.columns == ScoreColumns::Choice ||
         spec.sortedBy >= ScoreColumn::ChoiceRecall;
}

std::vector<Panel> comparedPanels(const CompareSpec& spec) {
  checkCompare(spec);
  std::vector<Panel> panels = comparedOf(spec);
  const Pattern& first = panels[static_cast<std::size_t>(spec.first)].pattern;
  const Pattern& second = panels[static_cast<std::size_t>(spec.second)].pattern;
  const auto of = [&](Operation operation, const Pattern& a, const Pattern& b) {
    return Pattern(Compose(operation, {a, b}));
  };
  std::vector<std::string> titles = titlesOf(panels);
  for (std::size_t place = 0; place < panels.size(); ++place) {
    panels[place].title = std::move(titles[place]);
    giveHue(panels[place], static_cast<Index>(place));
  }
  Panel difference;
  difference.title = "difference";
  difference.pattern = Compose(Operation::Union, {of(Operation::Intersection, first, second),
                                                  of(Operation::Difference, first, second),
                                                  of(Operation::Difference, second, first)});
  difference.parts = {{"in both", kGrey},
                      {"only in " + letterOf(spec.first), spec.first},
                      {"only in " + letterOf(spec.second), spec.second}};
  panels.push_back(std::move(difference));
  return panels;
}

} // namespace attention
