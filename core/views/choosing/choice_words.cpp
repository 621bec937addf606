// Titles, captions and sentences of the pictures of choices (choice_figure.h).
#include "core/pattern/pattern_title.h"
#include "core/support/number_text.h"
#include "core/views/choosing/choice_figure.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr std::size_t kMostNamed = 6; // blocks that a sentence lists

std::string percentOf(double share) {
  return readableNumber(100 * share) + " %";
}

// "Query 127", "Queries 120 … 127": those that choose together.
std::string choosersOf(const ChosenKeys& of, const ChoiceRow& row) {
  const Index block = of.choice().queryBlock;
  if (block == 1)
    return "Query " + groupedDigits(row.query);
  const Index first = row.block * block;
  return "Queries " + groupedDigits(first) + " to " +
         groupedDigits(std::min(first + block, of.prepared->lengths().queries) - 1);
}

std::string sampledText(const ChosenKeys& of) {
  const Index each = ceilDiv(of.n(), kMostChosenCells);
  return of.sampled() ? " With " + counted(of.n(), "token") + ", about one row in " +
                            groupedDigits(each) + " is shown."
                      : "";
}

// ", blocks 3 and 7", or how many they are where the rule has not said it; "here all of them" where
// the rule would take more than there are.
std::string chosenText(const std::string& thing, const std::vector<Index>& which, Index ranked,
                       const std::string& rule) {
  if (ranked > 1 && std::ssize(which) == ranked && rule != "all")
    return ", here all of them" +
           (which.size() > kMostNamed ? "" : ": " + namedThings(thing, which));
  const auto count = static_cast<Index>(which.size());
  if (count > 0 && which.size() > kMostNamed &&
      rule.find(groupedDigits(count)) != std::string::npos)
    return "";
  return rule == "none" ? "" : ", " + namedThings(thing, which);
}

std::string scoresCaption(const ChosenKeys& of, const ChoiceRow& row) {
  return choiceWords(of, row) + " Query " + groupedDigits(row.query) + " reads " +
         groupedDigits(row.keys) + " of " +
         counted(of.choice().causal ? row.query + 1 : of.n(), "key") +
         ". Stronger colours mark higher scores within a row." + sampledText(of);
}

std::string cacheCaption(const ChosenKeys& of, const CacheStep& at) {
  std::string text = "One row per key, one column per step. A row begins when its key enters the "
                     "cache and ends when the key is evicted; its colour says why the key is kept. "
                     "Before step " +
                     groupedDigits(at.step) + ", " + counted(at.evicted, "key") +
                     agreeing(at.evicted, " is", " are") + " gone.";
  if (at.weights.empty())
    text += " This policy reads no data, and without an input there are no weights.";
  return text + sampledText(of);
}

// As many blocks are not as many keys.
bool blocksPassKeys(const BudgetCurves& curves) {
  constexpr double kPlainly = 1e-6;
  return std::any_of(curves.points.begin(), curves.points.end(), [](const BudgetPoint& point) {
    return point.oracleBlocks > point.oracleKeys + kPlainly;
  });
}

} // namespace

std::vector<Index> takenAs(const ChoiceRow& row, Taken taken) {
  std::vector<Index> which;
  for (std::size_t c = 0; c < row.taken.size(); ++c)
    if (row.taken[c] == taken)
      which.push_back(static_cast<Index>(c));
  return which;
}

std::string namedThings(const std::string& thing, const std::vector<Index>& which) {
  if (which.empty())
    return "no " + thing;
  if (which.size() > kMostNamed)
    return counted(static_cast<Index>(which.size()), thing);
  std::string text = which.size() == 1 ? thing : thing + "s";
  for (std::size_t k = 0; k < which.size(); ++k)
    text += (k == 0 ? " " : k + 1 == which.size() ? " and " : ", ") + groupedDigits(which[k]);
  return text;
}

std::string choiceWords(const ChosenKeys& of, const ChoiceRow& row) {
  const ChoiceScores& scores = *of.choice().scores;
  const std::string thing = of.thing();
  std::string text;
  if (row.forced > 0)
    text = choosersOf(of, row) +
           agreeing(of.choice().queryBlock, " always reads ", " always read ") +
           namedThings(thing, takenAs(row, Taken::Forced)) + ". ";
  if (row.ranked == 0)
    return text + "No " + thing + " is ranked.";
  return text + counted(row.ranked, row.forced > 0 ? "other " + thing : thing) +
         agreeing(row.ranked, " is", " are") + " ranked by " + scores.name +
         ". Chosen: " + scores.rule +
         chosenText(thing, takenAs(row, Taken::Chosen), row.ranked, scores.rule) + ".";
}

std::string fateOf(const ChosenKeys& of, Index key) {
  const Index gone = of.evictedAt[static_cast<std::size_t>(key)];
  return gone < 0 ? "stays to the end" : "is evicted before step " + groupedDigits(gone);
}

std::string rankWords(const ChosenKeys& of, const ChoiceRow& row, Index block) {
  const auto c = static_cast<std::size_t>(block);
  const std::string name = of.thing() + " " + groupedDigits(block);
  if (row.taken[c] == Taken::Never)
    return name + " lies in the future";
  const Index key = std::min(block * of.choice().keyBlock, of.n() - 1);
  return name +
         (std::isnan(row.scores[c]) ? ": no score" : ": score " + readableNumber(row.scores[c])) +
         "\n" + (row.taken[c] == Taken::Ranked ? "✗ " : "✓ ") +
         of.prepared->why(row.query, key).text;
}

std::string stateOf(const ChosenKeys& of, Index step, Index key) {
  for (std::size_t p = 0; p < of.prepared->parts().size(); ++p)
    if (of.prepared->contains(p, step, key))
      return "in the cache: " + of.prepared->parts()[p].label;
  return key > step ? "in the future" : "evicted";
}

std::string stepWords(const ChosenKeys& of, const CacheStep& step, Index key) {
  const auto found = std::find(step.keys.begin(), step.keys.end(), key);
  const auto place = static_cast<std::size_t>(found - step.keys.begin());
  return "key " + groupedDigits(key) + ": " + stateOf(of, step.step, key) +
         (found == step.keys.end() ? "" : ", weight " + readableNumber(step.weights[place]));
}

std::string choiceTitle(const ChosenKeys& of, const ChoiceLook& look) {
  const std::string name = mechanismTitle(of.pattern);
  if (of.isCache()) {
    const CacheStep at = cacheStep(of, look.query);
    return titleText(of.pattern) + ": step " + groupedDigits(at.step) + " reads " +
           groupedDigits(static_cast<Index>(at.keys.size())) + " of " + counted(at.step + 1, "key");
  }
  const ChoiceRow row = choiceRow(of, look.query);
  const Index candidates = ChosenBlocks(*of.prepared).candidates(row.block);
  return name + ": query " + groupedDigits(look.query) + " reads " +
         groupedDigits(row.forced + row.chosen) + " of " + counted(candidates, of.thing());
}

std::string choiceCaption(const ChosenKeys& of, const ChoiceLook& look) {
  return of.isCache() ? cacheCaption(of, cacheStep(of, look.query))
                      : scoresCaption(of, choiceRow(of, look.query));
}

std::string budgetTitle(const BudgetCurves& curves) {
  return "What " + mechanismTitle(curves.pattern) + " keeps of attention, against " + curves.label;
}

std::string budgetCaption(const BudgetCurves& curves) {
  std::string text = "Of dense attention, mean over " + counted(curves.n, "query") + ".";
  if (const BudgetPoint* own = curves.at(curves.current)) {
    text += " At " + curves.label + " = " + readableNumber(curves.current) + ", " +
            readableNumber(own->keys) + " keys per query keep " + percentOf(own->recall);
    if (curves.blocks)
      text += ". The best choice of the same number of blocks would keep " +
              percentOf(own->oracleBlocks) + ", the best choice of the same number of keys " +
              percentOf(own->oracleKeys);
    else
      text +=
          ". The best choice of the same number of keys would keep " + percentOf(own->oracleKeys);
    text += ", and a window of the nearest keys " + percentOf(own->window) + ".";
  }
  text += " The best choices are known only from all n² scores.";
  if (blocksPassKeys(curves))
    text +=
        " Where the best blocks lie above the best keys, they hold more keys: a block that ends "
        "at the query or at the end of the text is shorter than the others.";
  return text;
}

} // namespace attention
