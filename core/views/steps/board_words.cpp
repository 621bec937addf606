#include "core/views/steps/board_words.h"

#include "core/support/direction.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace attention {
namespace {

// Bytes of a token's label, in the column of keys, with a note there, and in the title.
constexpr std::size_t kMostInColumn = 12;
constexpr std::size_t kLeastInColumn = 3;
constexpr std::size_t kMostWithNote = 15; // of both
constexpr std::size_t kMostInTitle = 40;
constexpr std::size_t kMostListed = 4;   // numbers of a vector
constexpr std::size_t kMostSummands = 2; // of an output

std::string labelOf(Index key, std::span<const std::string> tokens, std::size_t most) {
  const auto at = static_cast<std::size_t>(key);
  return key >= 0 && at < tokens.size() ? "“" + shortened(tokens[at], most) + "”" : std::string();
}

std::string subscript(Index number) {
  static constexpr std::array kDigits{"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  std::string text;
  for (const char digit : std::to_string(number))
    text += kDigits.at(static_cast<std::size_t>(digit - '0'));
  return text;
}

bool isPinned(const StepsAnswer& answer, Index key) {
  return std::find(answer.pinned.begin(), answer.pinned.end(), key) != answer.pinned.end();
}

// What a key is beside the others.
std::string noteOf(const StepsAnswer& answer, Index key) {
  if (key == answer.token)
    return isPinned(answer, key) ? "query, pinned" : "query";
  return isPinned(answer, key) ? "pinned" : exampleKey(answer) == key ? "followed" : "";
}

} // namespace

std::string boardNumber(double value) {
  return readableNumber(value, 3);
}

BoardCell numberCell(double value, std::string why) {
  BoardCell cell{boardNumber(value), {}, {}, std::move(why)};
  cell.value = value;
  return cell;
}

bool isListed(const StepsAnswer& answer, Index key) {
  return std::any_of(answer.listed.begin(), answer.listed.end(),
                     [key](const ListedKey& of) { return of.key == key; });
}

std::string hiddenText(const StepsAnswer& answer, std::span<const std::string> tokens) {
  const ListedKey& hidden = answer.hidden.value();
  return tokenName(answer.keyNoun, hidden.key, hidden.key, tokens) + " gets −∞, since " +
         hidden.rule;
}

std::string noKeyText() {
  return "the query sees no key, so its output is 0";
}

std::string factorText(double value) {
  return value < 0 ? "(" + boardNumber(value) + ")" : boardNumber(value);
}

std::string keyName(Index key, std::span<const std::string> tokens, const std::string& note) {
  const std::size_t most =
      note.empty() ? kMostInColumn
                   : std::max(kLeastInColumn, kMostWithNote - std::min(kMostWithNote, note.size()));
  const std::string label = labelOf(key, tokens, std::min(kMostInColumn, most));
  return fromLeft(groupedDigits(key) + (label.empty() ? "" : " " + label));
}

BoardLine keyLine(const StepsAnswer& answer, Index key, std::span<const std::string> tokens,
                  std::size_t columns) {
  BoardLine line;
  line.note = noteOf(answer, key);
  line.cells.resize(columns);
  line.cells[0] = {keyName(key, tokens, line.note)};
  line.row = key;
  line.strong = key == answer.token;
  line.pinned = isPinned(answer, key);
  line.lit = exampleKey(answer) == key;
  return line;
}

std::string linesText(const StepsAnswer& answer) {
  const std::size_t shown = answer.shown.keys.size();
  if (answer.shown.others.empty())
    return {};
  const auto pinned = std::count_if(answer.shown.keys.begin(), answer.shown.keys.end(),
                                    [&](Index key) { return isPinned(answer, key); });
  const std::string which = pinned == 0   ? " and the nearest ones"
                            : pinned == 1 ? ", the nearest ones and the pinned one"
                                          : ", the nearest ones and the pinned ones";
  return groupedDigits(shown) + " of the " + groupedDigits(answer.softmax.visible.size()) +
         " visible keys have rows, in text order: those with the largest weights" + which;
}

std::string weightedValuesText(const StepsAnswer& answer) {
  const std::vector<double> weights = weightsOf(answer);
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  const std::size_t most = order.size() <= kMostSummands + 1 ? order.size() : kMostSummands;
  std::string text;
  for (std::size_t t = 0; t < most; ++t)
    text += (t == 0 ? "" : " + ") + factorText(weights[order[t]]) + " v" +
            subscript(answer.softmax.visible[order[t]]);
  return text + (most < order.size() ? " + …" : "");
}

std::string softmaxesText(std::size_t count) {
  return groupedDigits(count) + (count == 1 ? " softmax" : " softmaxes");
}

std::string othersName(std::size_t count) {
  return "… " + groupedDigits(count) + " more";
}

std::string tokenName(const std::string& what, Index at, Index token,
                      std::span<const std::string> tokens) {
  const std::string label = labelOf(token, tokens, kMostInTitle);
  return what + " " + groupedDigits(at) + (label.empty() ? "" : " " + label);
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
  if (q.size() <= kProductParts) {
    for (std::size_t c = 0; c < q.size(); ++c)
      text += (c == 0 ? "" : " + ") + boardNumber(q[c]) + " · " + factorText(k[c]);
    return text + " = " + boardNumber(dot);
  }
  for (const double part : partialProducts(q, k, kProductParts))
    text += (text.empty() ? "" : " + ") + factorText(part);
  const std::size_t least = q.size() / kProductParts;
  const bool equal = least * kProductParts == q.size();
  return text + " = " + boardNumber(dot) + ", " + std::to_string(kProductParts) + " sums of " +
         (equal ? counted(least, "product") + " each"
                : std::to_string(least) + " or " + counted(least + 1, "product"));
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
