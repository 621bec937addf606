#include "core/views/compare/match_pairs.h"

#include "core/pattern/prepared.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace attention {
namespace {

// The first of them that a mechanism has.
constexpr std::array kMainNames{"window", "stride", "left", "block_size", "chunk", "k", "n_slash"};

bool choosesTooLong(const Pattern& pattern, const Lengths& lengths) {
  return needsData(pattern) && std::max(lengths.queries, lengths.keys) > kMostChosenTokens;
}

// Counts the pairs of a pattern by the value of one parameter.
class PairsByValue {
public:
  PairsByValue(const Pattern& pattern, const Parameter& parameter, const Lengths& lengths,
               const PatternData& data, const Run& run)
      : pattern_(pattern), parameter_(parameter), lengths_(lengths), data_(data), run_(run),
        bounds_(parameter.bounds(pattern, lengths.keys)) {}

  // 0 if there is nothing to choose from.
  Index steps() const {
    if (!std::isfinite(bounds_.minimum) ||
        std::abs(bounds_.minimum) > static_cast<double>(kMaxLength))
      return 0;
    const double most =
        std::min(bounds_.maximum, std::max(static_cast<double>(lengths_.keys), bounds_.minimum));
    return static_cast<Index>(most - bounds_.minimum) / std::max<Index>(bounds_.step, 1);
  }

  Pattern at(Index step) const {
    Pattern changed = pattern_;
    parameter_.set(changed, Value(static_cast<Index>(bounds_.minimum) + step * bounds_.step));
    return changed;
  }

  // Nothing if it cannot be counted.
  std::optional<Index> pairsOf(const Pattern& pattern) const {
    if (choosesTooLong(pattern, lengths_))
      return std::nullopt;
    try {
      const auto prepared = prepare(pattern, lengths_, data_, run_);
      if (!attention::countsSoon(*prepared))
        return std::nullopt;
      return prepared->pairs(run_);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  // The values worth trying: all of them where there are few and counting is quick, since a stride
  // has the fewest pairs in the middle; else the two around the crossing.
  std::vector<Index> near(Index pairs) const {
    std::vector<Index> steps;
    if (this->steps() <= kFewSteps && countsSoon()) {
      for (Index step = 0; step <= this->steps(); ++step)
        steps.push_back(step);
      return steps;
    }
    const auto first = pairsOf(at(0));
    const auto last = pairsOf(at(this->steps()));
    if (!first || !last)
      return {};
    Index before = 0;
    Index from = this->steps();
    while (before + 1 < from) {
      const Index middle = before + (from - before) / 2;
      const auto there = pairsOf(at(middle));
      if (!there)
        return {};
      ((*last >= *first ? *there >= pairs : *there <= pairs) ? from : before) = middle;
    }
    return {before, from};
  }

private:
  static constexpr Index kFewSteps = 512;

  bool countsSoon() const {
    return !needsData(pattern_) && prepare(pattern_, lengths_, data_, run_)->closedForm();
  }

  const Pattern& pattern_;
  const Parameter& parameter_;
  const Lengths& lengths_;
  const PatternData& data_;
  const Run& run_;
  Bounds bounds_;
};

} // namespace

const Parameter* mainParameter(const Pattern& pattern) {
  for (const char* name : kMainNames)
    if (const Parameter* parameter = description(pattern).find(name))
      if (parameter->type == ParameterType::Integer && parameter->visible(pattern))
        return parameter;
  return nullptr;
}

Pattern withPairs(const Pattern& pattern, Index pairs, const Lengths& lengths,
                  const PatternData& data, const Run& run) {
  const Parameter* parameter = mainParameter(pattern);
  if (!parameter)
    return pattern;
  const PairsByValue values(pattern, *parameter, lengths, data, run);
  const auto own = values.pairsOf(pattern);
  if (values.steps() < 1 || !own)
    return pattern;
  Pattern best = pattern;
  Index least = std::abs(*own - pairs);
  for (const Index step : values.near(pairs))
    if (const auto there = values.pairsOf(values.at(step));
        there && std::abs(*there - pairs) < least) {
      least = std::abs(*there - pairs);
      best = values.at(step);
    }
  return best;
}

void matchPairs(Scene& scene, const Lengths& lengths, const PatternData& data, const Run& run) {
  if (!scene.compare.matchPairs)
    return;
  std::vector<Panel> patterns = comparedOf(scene.compare);
  const std::size_t chosen = chosenPlace(scene.compare);
  Index pairs = 0;
  try {
    pairs = prepare(patterns[chosen].pattern, lengths, data, run)->pairs(run);
  } catch (const Error&) { // the view says what is wrong with it
    return;
  }
  for (std::size_t k = 0; k < patterns.size(); ++k)
    if (k != chosen)
      patterns[k].pattern = withPairs(patterns[k].pattern, pairs, lengths, data, run);
  if (patterns != comparedOf(scene.compare))
    scene.compare.patterns = std::move(patterns);
}

std::string unmatchedText(const CompareSpec& spec, const Lengths& lengths) {
  if (!spec.matchPairs)
    return {};
  const std::vector<Panel> patterns = comparedOf(spec);
  std::string text;
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    if (k == chosenPlace(spec))
      continue;
    const std::string name = std::string(text.empty() ? "(" : " (") + static_cast<char>('a' + k);
    if (!mainParameter(patterns[k].pattern))
      text += name + ") has no parameter that sets its pairs.";
    else if (choosesTooLong(patterns[k].pattern, lengths))
      text += name + ") chooses its keys by the data; such patterns are matched up to n = " +
              groupedDigits(kMostChosenTokens) + ".";
  }
  return text;
}

} // namespace attention
