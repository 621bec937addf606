#include "core/views/model/hurt_text.h"

#include "core/input/model_metadata.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/model_figure.h"
#include "core/views/text/scene_text.h"

#include <algorithm>

namespace attention {
namespace {

constexpr std::size_t kMostTold = 5;

const MeasuredRow& asItIs(const MeasuredCosts& costs) {
  return costs.rows.front();
}

double hurtAt(const MeasuredCosts& costs, const MeasuredRow& row, std::size_t prediction) {
  return row.loss[prediction] - asItIs(costs).loss[prediction];
}

// A piece as it is read, in quotes.
std::string quotedPiece(const MeasuredCosts& costs, const std::string& piece) {
  return "“" + pieceLabel(piece, areByteLevel(costs.pieces)) + "”";
}

// "“the” (34 %)"; empty where it is not known.
std::string expectedBy(const MeasuredCosts& costs, const MeasuredRow& row, std::size_t prediction) {
  if (prediction >= row.expected.size())
    return {};
  const std::string piece = quotedPiece(costs, row.expected[prediction]);
  return prediction < row.share.size() ? piece + " (" + percentText(row.share[prediction], 0) + ")"
                                       : piece;
}

} // namespace

std::string nameOfToken(const MeasuredCosts& costs, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return (at < costs.pieces.size() ? quotedPiece(costs, costs.pieces[at]) + ", " : std::string()) +
         "token " + groupedDigits(token);
}

std::vector<std::size_t> mostHurt(const MeasuredCosts& costs, const MeasuredRow& row,
                                  std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < row.loss.size(); ++i)
    if (hurtAt(costs, row, i) > 0)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return hurtAt(costs, row, a) > hurtAt(costs, row, b);
  });
  order.resize(std::min(order.size(), most));
  return order;
}

RunningTextMark hurtMark(const MeasuredCosts& costs, const MeasuredRow& row) {
  RunningTextMark mark;
  mark.tokens = textTokens(costs.pieces, pieceLabels(costs.pieces), costs.tokens);
  mark.tokens.resize(static_cast<std::size_t>(tokensOf(row))); // nothing is known of the others yet
  for (std::size_t i = 0; i < row.loss.size(); ++i)
    mark.tokens[i + 1].share = std::clamp(hurtAt(costs, row, i) / kFullHurt, 0.0, 1.0);
  return mark;
}

std::string titleOfHurt(const MeasuredRow& row) {
  return "What " + row.row.name + " makes hard to predict";
}

std::string captionOfHurt(const MeasuredCosts& costs, const MeasuredRow& row) {
  const auto hurt =
      std::count_if(row.loss.begin(), row.loss.end(), [&, i = std::size_t{0}](double) mutable {
        return hurtAt(costs, row, i++) >= 1;
      });
  const std::string shipped = shippedSentence(costs);
  const std::string begun = tokensOf(row) == costs.tokens
                                ? std::string()
                                : "The first " + groupedDigits(tokensOf(row)) + " of " +
                                      counted(costs.tokens, "token") + " so far. ";
  return begun + "The stronger the shade, the more the loss of the word grows; the strongest is " +
         readableNumber(kFullHurt) + " nats or more. " + counted(hurt, "token") + " of " +
         groupedDigits(row.loss.size()) + (hurt == 1 ? " is" : " are") +
         " worse by at least 1 nat." + (shipped.empty() ? "" : " " + shipped);
}

std::string wordsOfHurt(const MeasuredCosts& costs, const MeasuredRow& row, Index token) {
  if (token == 0 || token > std::ssize(row.loss))
    return nameOfToken(costs, token) + ": nothing before it predicts it";
  const auto at = static_cast<std::size_t>(token - 1);
  std::string text = nameOfToken(costs, token) + ": " + fixed(asItIs(costs).loss[at], 1) + " → " +
                     fixed(row.loss[at], 1) + " nats";
  const std::string now = expectedBy(costs, row, at);
  const std::string before = expectedBy(costs, asItIs(costs), at);
  if (!now.empty() && !before.empty())
    text += "; the model now expects " + now + "; before, it expected " + before;
  return text;
}

std::vector<std::string> hurtSentences(const MeasuredCosts& costs, const MeasuredRow& row) {
  std::vector<std::string> sentences;
  for (const std::size_t i : mostHurt(costs, row, kMostTold))
    sentences.push_back(wordsOfHurt(costs, row, static_cast<Index>(i) + 1) + ".");
  return sentences;
}

CsvTable hurtTable(const MeasuredCosts& costs, const MeasuredRow& row) {
  CsvTable table{{"token", "piece", "loss_as_it_is", "loss", "expected_as_it_is", "expected"}, {}};
  const auto at = [](const std::vector<std::string>& list, std::size_t k) {
    return k < list.size() ? list[k] : std::string();
  };
  for (std::size_t i = 0; i < row.loss.size(); ++i)
    table.rows.push_back({csvNumber(static_cast<Index>(i) + 1), at(costs.pieces, i + 1),
                          csvNumber(asItIs(costs).loss[i]), csvNumber(row.loss[i]),
                          at(asItIs(costs).expected, i), at(row.expected, i)});
  return table;
}

} // namespace attention
