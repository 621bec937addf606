// Facts beside the pictures of choices, caches and budgets.
#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

// Of the pairs that could be read.
std::string shareOfPairs(const ChosenKeys& of) {
  const auto n = static_cast<double>(of.n());
  const double all = of.choice().causal ? n * (n + 1) / 2 : n * n;
  return groupDigits(of.pairs) + "  " + percent(static_cast<double>(of.pairs) / all) +
         (of.choice().causal ? " of causal" : " of full");
}

Facts choiceFacts(const ChosenKeys& of, const ChoiceRow& row) {
  const std::string thing = of.thing();
  return {
      "Query " + groupDigits(row.query),
      {{"keys read",
        groupDigits(row.keys) + " of " + groupDigits(of.choice().causal ? row.query + 1 : of.n()),
        "How many keys it reads, of those that it may read"},
       {"always read", namedThings(thing, takenAs(row, Taken::Forced)),
        "Read without looking at their scores"},
       {"chosen by score", namedThings(thing, takenAs(row, Taken::Chosen)),
        "Chosen: " + of.choice().scores->rule},
       {"ranked", groupDigits(row.ranked),
        "How many it chose from. Scores: " + of.choice().scores->name},
       {"lowest chosen", row.cut ? shortNumber(*row.cut, 3) : "–",
        "The lowest chosen score; none where a higher score was left out"},
       {"pairs", shareOfPairs(of),
        "Pairs read by all queries, and their share of all possible pairs"},
       {"cost of choosing", countWithUnit(of.choice().flops) + " FLOPs",
        "Operations to compute the scores, without sorting; a multiply-add counts as two"}}};
}

Facts cacheFacts(const ChosenKeys& of, const CacheStep& at) {
  const auto parts = of.prepared->parts();
  Facts facts{"Step " + groupDigits(at.step), {}};
  facts.add("keys read",
            groupDigits(static_cast<Index>(at.keys.size())) + " of " + groupDigits(at.step + 1),
            "Keys that are in the cache, the query's own included");
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto count = std::count(at.parts.begin(), at.parts.end(), p);
    double weight = 0;
    for (std::size_t t = 0; t < at.weights.size(); ++t)
      weight += at.parts[t] == p ? at.weights[t] : 0;
    if (count > 0)
      facts.add("   " + parts[p].name,
                groupDigits(static_cast<Index>(count)) +
                    (at.weights.empty() ? "" : ", weight " + shortNumber(weight, 2)),
                "Keys that are there as " + parts[p].label +
                    ", and their attention weight together");
  }
  facts.add("evicted", groupDigits(at.evicted), "Keys that are gone before this step");
  facts.add("pairs", shareOfPairs(of),
            "Pairs read in all steps, and their share of all possible pairs");
  return facts;
}

Facts budgetFacts(const BudgetCurves& curves) {
  if (curves.points.empty())
    return {};
  const BudgetPoint* own = curves.at(curves.current);
  const BudgetPoint& of = own ? *own : curves.points.back();
  Facts facts{curves.label + " = " + readableNumber(of.value),
              {{"keys per query", shortNumber(of.keys, 3), "Mean number of keys that are read"},
               {"recall", shortNumber(of.recall, 3),
                "Share of dense attention on the keys that are read, mean over the queries"}}};
  if (curves.blocks)
    facts.add("best blocks", shortNumber(of.oracleBlocks, 3),
              "What the same number of blocks would keep if the heaviest were chosen");
  facts.add("best keys", shortNumber(of.oracleKeys, 3),
            "What the same number of keys would keep if the heaviest were chosen");
  facts.add("window", shortNumber(of.window, 3),
            "What a window of the nearest keys keeps, with the same number of pairs or fewer");
  return facts;
}

} // namespace

Facts choiceFacts(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  if (spec.picture == ChoosingPicture::Budget)
    return budgetFacts(*answer.budget);
  return answer.chosen->isCache() ? cacheFacts(*answer.chosen, *answer.step)
                                  : choiceFacts(*answer.chosen, *answer.row);
}

} // namespace attention::gui
