// What to see in the pictures of choices, caches and budgets, in sentences (choice_figure.h).
#include "core/support/number_text.h"
#include "core/views/choosing/choice_figure.h"

#include <algorithm>

namespace attention {

std::vector<std::string> choiceReading(const ChosenKeys& of, const ChoiceRow& row) {
  const std::string thing = of.thing();
  std::vector<std::string> said{choiceWords(of, row)};
  const auto most = std::max_element(of.chosenBy.begin(), of.chosenBy.end());
  if (most == of.chosenBy.end() || *most == 0)
    return said;
  const Index choosers = ChosenBlocks(*of.prepared).queryBlocks();
  const auto never = std::count(of.chosenBy.begin(), of.chosenBy.end(), 0);
  said.push_back((thing == "block" ? "Block " : "Key ") +
                 groupedDigits(most - of.chosenBy.begin()) + " is chosen most often, by " +
                 groupedDigits(*most) + " of " +
                 counted(choosers, of.choice().queryBlock > 1 ? "query block" : "query") + ". " +
                 (never == 0 ? "Every " + thing + " is chosen at least once."
                             : counted(static_cast<Index>(never), thing) +
                                   agreeing(never, " is", " are") + " never chosen by score."));
  return said;
}

std::vector<std::string> cacheReading(const ChosenKeys& of) {
  std::vector<Index> lives;
  for (std::size_t j = 0; j < of.evictedAt.size(); ++j)
    if (of.evictedAt[j] >= 0)
      lives.push_back(of.evictedAt[j] - static_cast<Index>(j));
  if (lives.empty())
    return {"No key is ever evicted: the cache holds them all."};
  const auto middle = lives.begin() + static_cast<std::ptrdiff_t>(lives.size() / 2);
  std::nth_element(lives.begin(), middle, lives.end());
  return {groupedDigits(static_cast<Index>(lives.size())) + " of " + counted(of.n(), "key") +
          agreeing(lives.size(), " is", " are") + " evicted, half of them within " +
          counted(*middle, "step") + " of entering the cache."};
}

std::vector<std::string> budgetReading(const BudgetCurves& curves) {
  if (curves.points.empty())
    return {};
  const BudgetPoint* own = curves.at(curves.current);
  const BudgetPoint& of = own ? *own : curves.points.back();
  const double best = curves.blocks ? of.oracleBlocks : of.oracleKeys;
  if (best <= 0)
    return {};
  return {"With " + readableNumber(of.keys, 3) + " keys per query the choice keeps " +
          sharePercent(of.recall) + " of attention, which is " + sharePercent(of.recall / best) +
          " of what the best choice of the same number of " + (curves.blocks ? "blocks" : "keys") +
          " would keep. A window of the same size keeps " + sharePercent(of.window) + "."};
}

} // namespace attention
