#include "core/scene/match_pairs.h"

#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace attention {
namespace {

// The first of them that a mechanism has.
constexpr std::array kMainNames{"window", "stride", "left", "block_size", "chunk", "k", "n_slash"};

// Counts the pairs of a pattern by the value of one parameter.
class PairsByValue {
public:
  PairsByValue(const Pattern& pattern, const Parameter& parameter, const Lengths& lengths,
               const PatternData& data, const Run& run)
      : pattern_(pattern), parameter_(parameter), lengths_(lengths), data_(data), run_(run),
        bounds_(parameter.bounds(pattern, lengths.keys)) {}

  // 0 where there is nothing to choose from.
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

  // Nothing where it cannot be counted.
  std::optional<Index> pairsOf(const Pattern& pattern) const {
    const Index n = std::max(lengths_.queries, lengths_.keys);
    if (needsData(pattern) && n > kMostChosenTokens)
      return std::nullopt;
    try {
      const auto prepared = prepare(pattern, lengths_, data_, run_);
      if (!prepared->closedForm() && n > kMostCountedTokens)
        return std::nullopt;
      return prepared->pairs(run_);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

private:
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
  if (values.steps() < 1)
    return pattern;
  const auto own = values.pairsOf(pattern);
  const auto first = values.pairsOf(values.at(0));
  const auto last = values.pairsOf(values.at(values.steps()));
  if (!own || !first || !last)
    return pattern;
  const bool rises = *last >= *first;
  // The first step from which on there are as many pairs, or as few, as wanted.
  Index before = 0;
  Index from = values.steps();
  while (before + 1 < from) {
    const Index middle = before + (from - before) / 2;
    const auto there = values.pairsOf(values.at(middle));
    if (!there)
      return pattern;
    ((rises ? *there >= pairs : *there <= pairs) ? from : before) = middle;
  }
  Pattern best = pattern;
  Index least = std::abs(*own - pairs);
  for (const Index step : {before, from})
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

} // namespace attention
