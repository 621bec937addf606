// What masks cost a model, in sentences.
#include "core/analysis/score/score_board.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/model_figure.h"
#include "core/views/text/text_tokens.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr std::size_t kMostHurt = 5; // tokens that are named

std::string shareText(const ModelCosts& costs, const LossRow& row) {
  return "with " + readableNumber(100 * row.pairs / costs.asItIs.pairs) + " % of the pairs";
}

// "Local, window 128, causal: loss 2.880 → 3.755 with 24 % of the pairs."
std::string costSentence(const ModelCosts& costs, const LossRow& row) {
  if (row.change)
    return row.name + ": the final states change by " + readableNumber(100 * *row.change) + " % " +
           shareText(costs, row) + ".";
  if (!row.loss)
    return row.name + ": the text has only one token, so there is nothing to predict.";
  return row.name + ": loss " + fixed(*costs.asItIs.loss, 3) + " → " + fixed(*row.loss, 3) + " " +
         shareText(costs, row) + ".";
}

// The variants that no other beats in both, where there are several.
std::string frontSentence(const ModelCosts& costs) {
  std::vector<CostAndGain> points;
  for (const auto& variant : costs.variants)
    points.push_back(
        {variant->row.pairs, -variant->row.loss.value_or(variant->row.change.value_or(NAN))});
  std::string names;
  const std::vector<std::size_t> front = paretoFront(points);
  for (const std::size_t k : front)
    names += (names.empty() ? "" : "; ") + costs.variants[k]->row.name;
  if (points.size() < 2 || front.empty())
    return {};
  return "No other variant is both cheaper and better than " +
         std::string(front.size() == 1 ? "" : "these: ") + names + ".";
}

// Tokens by how much worse they are predicted, the worst first; only those that are.
std::vector<std::size_t> mostHurt(const std::vector<double>& own, const std::vector<double>& base) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] > base[i])
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return own[a] - base[a] > own[b] - base[b];
  });
  order.resize(std::min(order.size(), kMostHurt));
  return order;
}

// "Most hurt by Local, window 128: “Bingley” (+ 6.1), “Lucas” (+ 5.9)."
std::string hurtSentence(const ModelCosts& costs, const VariantCost& variant) {
  const ModelTokens& tokens = *costs.base->tokens;
  if (tokens.pieces.empty() || variant.predictions.loss.empty())
    return {};
  const auto& base = costs.base->predictions.loss;
  const auto words = textTokens(tokens.pieces, tokens.pieces, std::ssize(tokens.pieces));
  std::string text;
  for (const std::size_t i : mostHurt(variant.predictions.loss, base))
    text += (text.empty() ? "“" : ", “") + printableLabel(words[i + 1].text) + "” (token " +
            groupedDigits(i + 1) + ", + " + fixed(variant.predictions.loss[i] - base[i], 1) + ")";
  return text.empty() ? text : "Most hurt by " + variant.row.name + ": " + text + ".";
}

} // namespace

std::string titleOf(const ModelCosts& costs) {
  return "What masks cost " + costs.base->model->name + " on " +
         counted(costs.base->tokens->ids.size(), "token");
}

std::string captionOf(const ModelCosts& costs) {
  const ModelTokens& tokens = *costs.base->tokens;
  const auto n = static_cast<Index>(tokens.ids.size());
  std::string text = n < tokens.given
                         ? "The first " + groupedDigits(n) + " of " + groupedDigits(tokens.given) +
                               " tokens of " + tokens.from + "."
                         : "All " + counted(n, "token") + " of " + tokens.from + ".";
  if (!costs.base->model->encoder)
    text += " Curves are means over " + std::to_string(kSmoothed) + " positions.";
  return text + " Dashed: the Pareto front; nothing has both fewer pairs and a " +
         (costs.base->model->encoder ? "smaller change." : "lower loss.");
}

std::vector<std::string> readingOf(const ModelCosts& costs) {
  std::vector<std::string> sentences;
  for (const auto& variant : costs.variants)
    sentences.push_back(costSentence(costs, variant->row));
  if (std::string front = frontSentence(costs); !front.empty())
    sentences.push_back(std::move(front));
  if (!costs.variants.empty())
    if (std::string hurt = hurtSentence(costs, *costs.variants.front()); !hurt.empty())
      sentences.push_back(std::move(hurt));
  if (costs.asItIs.loss && costs.variants.empty())
    sentences.push_back("As it is, the model's loss is " + fixed(*costs.asItIs.loss, 3) +
                        " nats per token.");
  if (costs.base->model->encoder)
    sentences.emplace_back("An encoder predicts nothing, so the change in its final states is "
                           "shown instead of a loss.");
  if (!costs.base->model->note.empty())
    sentences.push_back(costs.base->model->note);
  return sentences;
}

} // namespace attention
