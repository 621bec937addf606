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

std::string labelOf(Index key, std::span<const std::string> tokens, std::size_t most) {
  const auto at = static_cast<std::size_t>(key);
  return key >= 0 && at < tokens.size() ? shortened(tokens[at], most) : std::string();
}

} // namespace

std::string boardNumber(double value) {
  return readableNumber(value, 3);
}

std::string keyName(Index key, std::span<const std::string> tokens) {
  const std::string label = labelOf(key, tokens, kMostInColumn);
  return groupedDigits(key) + (label.empty() ? "" : "  " + label);
}

std::string othersName(std::size_t count) {
  return "… " + groupedDigits(count) + " more";
}

std::string titleOf(const StepsAnswer& answer, const std::string& way,
                    std::span<const std::string> tokens) {
  const std::string label = labelOf(answer.token, tokens, kMostInTitle);
  return "Query " + groupedDigits(answer.query) + (label.empty() ? "" : " (" + label + ")") + ": " +
         way + " over " + groupedDigits(answer.softmax.visible.size()) + " of " +
         counted(answer.softmax.dot.size(), "key");
}

std::string scoringText(const Scoring& scoring, std::size_t d) {
  const bool usual = scoring.scale == 1 / std::sqrt(static_cast<double>(d));
  const std::string scaled =
      usual ? "q·k / √" + std::to_string(d) : boardNumber(scoring.scale) + " q·k";
  if (!scoring.softcap)
    return scaled;
  const std::string cap = boardNumber(*scoring.softcap);
  return cap + " tanh(" + scaled + " / " + cap + ")";
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

StepsBoard stepsBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  if (answer.online)
    return onlineBoard(answer, tokens);
  return answer.features ? featureBoard(answer, tokens) : softmaxBoard(answer, tokens);
}

} // namespace attention
