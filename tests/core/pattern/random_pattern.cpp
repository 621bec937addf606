#include "tests/core/pattern/random_pattern.h"

namespace attention {
namespace {

Value randomInteger(Dice& dice, const Bounds& bounds, Index n) {
  const auto low = static_cast<Index>(std::max(bounds.minimum, -1.0));
  const auto high = static_cast<Index>(std::min(bounds.maximum, static_cast<double>(n + 3)));
  return high < low ? Value{} : Value{dice.within(low, high)};
}

Value randomPatterns(Dice& dice, Index n, int depth) {
  PatternList operands;
  for (Index k = dice.within(1, 3); k > 0; --k) {
    const auto last = static_cast<Index>(std::variant_size_v<Mechanism>) - 1;
    const auto mechanism = static_cast<std::size_t>(dice.within(0, last));
    if (depth < 2)
      operands.push_back(randomPattern(dice, mechanism, n, depth + 1));
    else
      operands.push_back(Pattern(Causal{}));
  }
  return std::make_shared<const PatternList>(std::move(operands));
}

Value randomValue(Dice& dice, const Pattern& pattern, const Parameter& parameter, Index n,
                  int depth) {
  switch (parameter.type) {
  case ParameterType::Integer:
    return randomInteger(dice, parameter.bounds(pattern, n), n);
  case ParameterType::Boolean:
    return dice.chance(2);
  case ParameterType::Choice: {
    const auto last = static_cast<Index>(parameter.choices.size()) - 1;
    return parameter.choices[static_cast<std::size_t>(dice.within(0, last))].value;
  }
  case ParameterType::Patterns:
    return randomPatterns(dice, n, depth);
  default:
    return {};
  }
}

} // namespace

Pattern randomPattern(Dice& dice, std::size_t mechanism, Index n, int depth) {
  Pattern pattern = allMechanisms()[mechanism];
  for (const Parameter& parameter : description(pattern).parameters) {
    const bool given = parameter.required || dice.chance(2);
    if (given)
      parameter.set(pattern, randomValue(dice, pattern, parameter, n, depth));
  }
  if (auto* compose = std::get_if<Compose>(&pattern.mechanism))
    if (compose->operation == Operation::Complement)
      compose->of.resize(1);
  return pattern;
}

} // namespace attention
