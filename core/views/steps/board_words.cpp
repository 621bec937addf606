#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Bytes of a token's label, in the column of keys and in the title.
constexpr std::size_t kMostInColumn = 12;
constexpr std::size_t kMostInTitle = 40;
constexpr std::size_t kMostProducts = 8; // that are written out
constexpr std::size_t kMostListed = 4;   // numbers of a vector

std::string labelOf(Index key, std::span<const std::string> tokens, std::size_t most) {
  const auto at = static_cast<std::size_t>(key);
  return key >= 0 && at < tokens.size() ? shortened(tokens[at], most) : std::string();
}

} // namespace

std::string boardNumber(double value) {
  return readableNumber(value, 3);
}

std::string factorText(double value) {
  return value < 0 ? "(" + boardNumber(value) + ")" : boardNumber(value);
}

std::string keyName(Index key, std::span<const std::string> tokens) {
  const std::string label = labelOf(key, tokens, kMostInColumn);
  return groupedDigits(key) + (label.empty() ? "" : "  " + label);
}

std::string othersName(std::size_t count) {
  return "… " + groupedDigits(count) + " more";
}

std::string tokenName(const std::string& what, Index at, Index token,
                      std::span<const std::string> tokens) {
  const std::string label = labelOf(token, tokens, kMostInTitle);
  return what + " " + groupedDigits(at) + (label.empty() ? "" : " (" + label + ")");
}

std::string titleOf(const StepsAnswer& answer, const std::string& way,
                    std::span<const std::string> tokens) {
  return tokenName("Query", answer.query, answer.token, tokens) + ": " + way + " over " +
         groupedDigits(answer.softmax.visible.size()) + " of " +
         counted(answer.softmax.dot.size(), "key");
}

std::string scoringText(const Scoring& scoring, std::size_t d, const ScoredPair& of) {
  const bool usual = scoring.scale == 1 / std::sqrt(static_cast<double>(d));
  std::string text =
      usual ? of.dot + " / √" + std::to_string(d) : boardNumber(scoring.scale) + " · " + of.dot;
  const bool biased = !scoring.bias.none();
  if (biased && scoring.biasFirst)
    text += " + " + of.bias;
  if (scoring.softcap) {
    const std::string cap = boardNumber(*scoring.softcap);
    text = cap + " tanh(" + (biased && scoring.biasFirst ? "(" + text + ")" : text) + " / " + cap +
           ")";
  }
  if (biased && !scoring.biasFirst)
    text += " + " + of.bias;
  if (scoring.temperature == 1)
    return text;
  const bool sum = biased && !(scoring.biasFirst && scoring.softcap);
  return (sum ? "(" + text + ")" : text) + " / " + boardNumber(scoring.temperature);
}

ScoredPair scoredPair(const StepsAnswer& answer, Index key, double dot) {
  const PositionBias& bias = answer.scoring.bias;
  return {factorText(dot), bias.none() ? "b" : factorText(bias.at(answer.token, key))};
}

std::vector<double> stripOf(const Matrix<double>& rows, Index i) {
  const auto row = rows.view().row(i);
  return {row.begin(), row.end()};
}

std::string numbersText(std::span<const double> numbers, std::size_t most) {
  std::string text;
  for (std::size_t c = 0; c < std::min(most, numbers.size()); ++c)
    text += (c == 0 ? "" : ", ") + boardNumber(numbers[c]);
  return text +
         (numbers.size() > most ? ", … " + groupedDigits(numbers.size() - most) + " more" : "");
}

std::string productsText(std::span<const double> q, std::span<const double> k, double dot) {
  std::string text;
  if (q.size() > kMostProducts)
    text = "the sum of " + groupedDigits(q.size()) + " products";
  else
    for (std::size_t c = 0; c < q.size(); ++c)
      text += (c == 0 ? "" : " + ") + boardNumber(q[c]) + " · " + factorText(k[c]);
  return text + " = " + boardNumber(dot);
}

std::string vectorText(std::span<const double> numbers) {
  return "(" + numbersText(numbers, kMostListed) + ")";
}

std::vector<double> scaledBy(double factor, std::vector<double> strip) {
  for (double& number : strip)
    number *= factor;
  return strip;
}

} // namespace attention
