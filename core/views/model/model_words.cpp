// What masks cost a model, in sentences.
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/hurt_text.h"
#include "core/views/model/model_figure.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attention {
namespace {

constexpr std::size_t kMostHurt = 3; // tokens that are named

std::span<const MeasuredRow> variantsIn(const MeasuredCosts& costs) {
  return std::span(costs.rows).subspan(std::min<std::size_t>(costs.rows.size(), 1));
}

std::string shareText(const MeasuredCosts& costs, const LossRow& row) {
  return "with " + readableNumber(pairsShare(costs, row)) + " % of the pairs";
}

// "Local, window 128, causal: loss 2.880 → 3.755 with 24 % of the pairs."; `said` of the variant
// stands behind its name.
std::string costSentence(const MeasuredCosts& costs, const LossRow& row,
                         const std::string& said = {}) {
  const std::string name = capitalised(row.name + said);
  if (row.change)
    return name + ": the final states change by " + readableNumber(100 * *row.change) + " % " +
           shareText(costs, row) + ".";
  if (!row.loss)
    return name + ": the text has only one token, so there is nothing to predict.";
  return name + ": loss " + fixed(*costs.rows.front().row.loss, 3) + " → " + fixed(*row.loss, 3) +
         " " + shareText(costs, row) + ".";
}

// Of one or two variants each; of more, which the table has, the least and the most costly.
std::vector<std::string> costSentences(const MeasuredCosts& costs) {
  constexpr std::size_t kEach = 2;
  const auto lost = [&](const MeasuredRow& row) { return lostBy(costs, row.row).value_or(0); };
  const auto less = [&](const MeasuredRow& a, const MeasuredRow& b) { return lost(a) < lost(b); };
  const auto variants = variantsIn(costs);
  std::vector<std::string> sentences;
  if (variants.size() <= kEach) {
    for (const MeasuredRow& variant : variants)
      sentences.push_back(costSentence(costs, variant.row));
    return sentences;
  }
  const auto [least, most] = std::minmax_element(variants.begin(), variants.end(), less);
  return {costSentence(costs, least->row, " costs the model least"),
          costSentence(costs, most->row, " costs it most")};
}

// "Most hurt by Local, window 128: “Bingley”, token 57 (+6.1 nats); …"
std::string hurtSentence(const MeasuredCosts& costs, const MeasuredRow& variant) {
  if (costs.pieces.empty() || variant.loss.empty())
    return {};
  std::string text;
  for (const std::size_t i : mostHurt(costs, variant, kMostHurt))
    text += (text.empty() ? "" : "; ") + nameOfToken(costs, static_cast<Index>(i) + 1) + " (+" +
            fixed(variant.loss[i] - costs.rows.front().loss[i], 1) + " nats)";
  return text.empty() ? text : "Most hurt by " + variant.row.name + ": " + text + ".";
}

// " Curves are means over 32 positions; behind them, pale, every prediction of the model as it is
// and of window 128."
std::string curvesSentence(const MeasuredCosts& costs, const MeasuredRows& single) {
  if (costs.encoder || costs.tokens <= 2)
    return {};
  const Index window = smoothingOf(costs);
  if (window == 1)
    return " Curves show every prediction.";
  std::string text = " Curves are means over " + std::to_string(window) + " positions";
  for (std::size_t k = 0; k < single.size(); ++k)
    text += (k == 0 ? "; behind them, pale, every prediction of " : " and of ") +
            (single[k]->row.name == kAsItIs ? "the model as it is" : single[k]->row.name);
  return text + ".";
}

} // namespace

std::string titleOf(const MeasuredCosts& costs) {
  return "What masks cost " + costs.model + " on " + counted(costs.tokens, "token");
}

std::string textSentence(const MeasuredCosts& costs) {
  return costs.tokens < costs.given
             ? "The first " + groupedDigits(costs.tokens) + " of " + groupedDigits(costs.given) +
                   " tokens of " + costs.from + "."
             : "All " + counted(costs.tokens, "token") + " of " + costs.from + ".";
}

std::string begunWords(const MeasuredCosts& costs) {
  if (!costs.begun)
    return {};
  const MeasuredRow& begun = *costs.begun;
  const std::string compared =
      costs.rows.empty() ? "" : fixed(lossAsItIs(costs, begun.loss.size()), 3) + " → ";
  return begun.row.name + ": first " + groupedDigits(tokensOf(begun)) + " of " +
         counted(costs.tokens, "token") + ", loss " + compared + fixed(*begun.row.loss, 3);
}

std::string shippedSentence(const MeasuredCosts& costs) {
  if (costs.shipped.empty())
    return {};
  if (costs.partly)
    return "What is not computed yet is shown as it came with the program (" + costs.shipped + ").";
  std::string text =
      "Results that come with the program, computed beforehand by " + costs.shipped + ".";
  if (costs.lacking.empty())
    return text;
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t k = 0; k < std::min(costs.lacking.size(), kNamed); ++k)
    names += (names.empty() ? "" : "; ") + costs.lacking[k];
  if (costs.lacking.size() > kNamed)
    names += " and " + std::to_string(costs.lacking.size() - kNamed) + " more";
  return text + " They do not include " + names + ".";
}

std::string captionOf(const MeasuredCosts& costs, const MeasuredRows& single) {
  std::string text = textSentence(costs) + curvesSentence(costs, single);
  if (costs.rows.size() > 1)
    text += " Dashed: the Pareto front. No variant beats a point on this line in both pairs and " +
            std::string(costs.encoder ? "change" : "loss") + ".";
  const std::string shipped = shippedSentence(costs);
  return shipped.empty() ? text : text + " " + shipped;
}

std::vector<std::string> readingOf(const MeasuredCosts& costs) {
  std::vector<std::string> sentences = costSentences(costs);
  if (const std::string begun = begunWords(costs); !begun.empty())
    sentences.push_back(begun + ".");
  if (costs.rows.size() > 1)
    if (std::string hurt = hurtSentence(costs, costs.rows[1]); !hurt.empty())
      sentences.push_back(std::move(hurt));
  if (const auto loss =
          costs.rows.size() == 1 && !costs.begun ? costs.rows.front().row.loss : std::nullopt)
    sentences.push_back("As it is, the model's loss is " + fixed(*loss, 3) + " nats per token.");
  if (costs.encoder)
    sentences.emplace_back("An encoder predicts nothing, so the change in its final states is "
                           "shown instead of a loss.");
  if (!costs.note.empty())
    sentences.push_back(costs.note);
  return sentences;
}

} // namespace attention
