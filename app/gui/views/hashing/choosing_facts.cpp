// Facts beside the pictures of choices, caches and budgets.
#include "app/gui/views/hashing/hashing_view.h"
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

void addChoice(HashingShown& shown) {
  const ChosenKeys& of = *shown.answer.chosen;
  const ChoiceRow& row = *shown.answer.row;
  const std::string thing = of.thing();
  shown.factsHeading = "Query " + groupDigits(row.query);
  shown.facts = {
      {"keys read", groupDigits(row.keys) + " of " + groupDigits(of.n()), "How many keys it reads"},
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
      {"cost of choosing", shortNumber(of.choice().flops, 3) + " FLOPs",
       "Operations to compute the scores, without sorting; a multiply-add counts as two"}};
}

void addCache(HashingShown& shown) {
  const ChosenKeys& of = *shown.answer.chosen;
  const CacheStep& at = *shown.answer.step;
  const auto parts = of.prepared->parts();
  shown.factsHeading = "Step " + groupDigits(at.step);
  shown.facts.push_back(
      {"keys read",
       groupDigits(static_cast<Index>(at.keys.size())) + " of " + groupDigits(at.step + 1),
       "Keys that are in the cache, the query's own included"});
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto count = std::count(at.parts.begin(), at.parts.end(), p);
    double weight = 0;
    for (std::size_t t = 0; t < at.weights.size(); ++t)
      weight += at.parts[t] == p ? at.weights[t] : 0;
    if (count > 0)
      shown.facts.push_back(
          {"   " + parts[p].name,
           groupDigits(static_cast<Index>(count)) +
               (at.weights.empty() ? "" : ", weight " + shortNumber(weight, 2)),
           "Keys that are there as " + parts[p].label + ", and their attention weight together"});
  }
  shown.facts.push_back(
      {"evicted", groupDigits(at.evicted), "Keys that are gone before this step"});
  shown.facts.push_back({"pairs", shareOfPairs(of),
                         "Pairs read in all steps, and their share of all possible pairs"});
}

void addBudget(HashingShown& shown) {
  const BudgetCurves& curves = *shown.answer.budget;
  if (curves.points.empty())
    return;
  const BudgetPoint* own = curves.at(curves.current);
  const BudgetPoint& of = own ? *own : curves.points.back();
  shown.factsHeading = curves.label + " = " + readableNumber(of.value);
  shown.facts = {{"keys per query", shortNumber(of.keys, 3), "Mean number of keys that are read"},
                 {"recall", shortNumber(of.recall, 3),
                  "Share of dense attention on the keys that are read, mean over the queries"}};
  if (curves.blocks)
    shown.facts.push_back(
        {"best blocks", shortNumber(of.oracleBlocks, 3),
         "What the same number of blocks would keep if the heaviest were chosen"});
  shown.facts.push_back({"best keys", shortNumber(of.oracleKeys, 3),
                         "What the same number of keys would keep if the heaviest were chosen"});
  shown.facts.push_back(
      {"window", shortNumber(of.window, 3),
       "What a window of the nearest keys keeps, with the same number of pairs or fewer"});
}

} // namespace

void addChoosingFacts(HashingShown& shown) {
  if (shown.spec.picture == HashingPicture::Budget)
    return addBudget(shown);
  return shown.answer.chosen->isCache() ? addCache(shown) : addChoice(shown);
}

} // namespace attention::gui
