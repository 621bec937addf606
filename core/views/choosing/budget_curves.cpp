// What is kept of attention against the budget (chosen_keys.h).
#include "core/views/choosing/chosen_keys.h"

#include "core/analysis/score/choice_board.h"
#include "core/pattern/beginning.h"
#include "core/pattern/mechanism/sliding_window.h"
#include "core/pattern/pattern_title.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

constexpr std::array kShares{0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0};

double numberIn(const Value& value) {
  if (const auto* integer = std::get_if<Index>(&value))
    return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&value);
  return real ? *real : 0;
}

constexpr double kUsualShare = 0.98; // where a share may be left out: SpargeAttn's

double currentValue(const Pattern& pattern, const Parameter& budget, Index n) {
  const Value value = budget.resolved(pattern, n);
  return std::holds_alternative<std::monostate>(value) ? kUsualShare : numberIn(value);
}

Pattern withBudget(Pattern pattern, const Parameter& budget, double value) {
  if (budget.type == ParameterType::Integer)
    budget.set(pattern, Value{static_cast<Index>(std::llround(value))});
  else
    budget.set(pattern, Value{value});
  return pattern;
}

std::vector<double> valuesOf(const Pattern& pattern, const Parameter& budget, Index n,
                             Index block) {
  std::vector<double> values{currentValue(pattern, budget, n)};
  if (budget.type == ParameterType::Integer) {
    const Index most = budget.unit == "blocks" ? ceilDiv(n, block) : n;
    const double first = budget.unit == "tokens" ? static_cast<double>(block) : 1;
    const double least = std::max(first, budget.bounds(pattern, n).minimum);
    for (auto v = static_cast<Index>(least); v < most; v *= 2)
      values.push_back(static_cast<double>(v));
    values.push_back(static_cast<double>(std::max<Index>(most, static_cast<Index>(least))));
  } else {
    values.insert(values.end(), kShares.begin(), kShares.end());
  }
  std::erase_if(values, [&](double value) {
    return value > static_cast<double>(n) && value != values.front();
  });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::erase_if(values,
                [&](double value) { return !isValid(withBudget(pattern, budget, value), n); });
  return values;
}

// The largest window that reads at most as many pairs, or its own key alone.
std::shared_ptr<const Prepared> windowOf(Index pairs, Index n, const KeyChoice& choice) {
  const auto window = [&](Index side) {
    const SlidingWindow of{side, choice.causal ? 0 : side};
    return prepare(of, squareLengths(n));
  };
  Index least = 0;
  Index most = n;
  while (least + 1 < most) {
    const Index middle = (least + most) / 2;
    (window(middle)->pairs() <= pairs ? least : most) = middle;
  }
  KeyChoice alone;
  alone.causal = choice.causal;
  return window(least)->withChoice(alone);
}

} // namespace

const Parameter* budgetParameter(const Pattern& pattern) {
  const Description& of = description(pattern);
  return of.budget ? of.find(of.budget(pattern)) : nullptr;
}

const BudgetPoint* BudgetCurves::at(double value) const {
  const auto found = std::find_if(points.begin(), points.end(),
                                  [&](const BudgetPoint& of) { return of.value == value; });
  return found == points.end() ? nullptr : &*found;
}

BudgetCurves budgetCurves(const ChoosingQuestion& question, const ModelHead& input,
                          const std::function<void(const BudgetCurves&)>& onPart, const Run& run) {
  if (!input.input || !input.input->hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "captured mass needs queries and keys; open an input with both");
  const Index n = question.n;
  const Pattern pattern = resolveFiles(question.pattern, {}, run.quiet());
  const PatternData data = inputData(*input.input, input.batch, input.head, n, run.quiet());
  const AttendOptions how = attendOptions(*input.input, input.head, run.threads);
  const Parameter& budget = *budgetParameter(pattern);
  const auto own = prepare(pattern, squareLengths(n), data, run.quiet());
  const KeyChoice& choice = *own->choice();
  BudgetCurves curves;
  curves.pattern = pattern;
  curves.parameter = budget.name;
  curves.label =
      budget.label.empty() ? titleText(static_cast<const ParameterFacts&>(budget)) : budget.label;
  curves.n = n;
  curves.blocks = choice.keyBlock > 1;
  curves.current = currentValue(pattern, budget, n);
  curves.values = valuesOf(pattern, budget, n, choice.keyBlock);
  const auto boardOf = [&](const Prepared& of) {
    return choiceBoard<double>(of, data.q->view(), data.k->view(), how, run.quiet());
  };
  for (const double value : curves.values) {
    run.report(static_cast<double>(curves.points.size()) /
               static_cast<double>(curves.values.size()));
    const auto at =
        prepare(withBudget(pattern, budget, value), squareLengths(n), data, run.quiet());
    const ChoiceBoard board = boardOf(*at);
    BudgetPoint point{value, at->pairs(run.quiet(), run.threads)};
    point.keys = static_cast<double>(point.pairs) / static_cast<double>(n);
    point.recall = board.recall;
    point.oracleBlocks = board.oracleBlocksRecall;
    point.oracleKeys = board.oracleKeysRecall;
    point.window = boardOf(*windowOf(point.pairs, n, choice)).recall;
    curves.points.push_back(point);
    if (onPart)
      onPart(curves);
  }
  return curves;
}

} // namespace attention
