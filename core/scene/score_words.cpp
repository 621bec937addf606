#include "core/scene/score_words.h"

#include "core/support/number_text.h"
#include "core/support/text.h"

#include <cmath>

namespace attention {
namespace {

std::string slopesText(const AlibiBias& alibi) {
  if (const auto* kind = std::get_if<AlibiSlopes>(&alibi.slopes))
    return *kind == AlibiSlopes::Standard ? "with the usual slope m of each head"
                                          : "with a slope of m = 2^(−8 (h + 1) / H) in head h";
  const auto& slopes = std::get<HeadNumbers>(alibi.slopes);
  return slopes.all ? "with m = " + shortest(slopes.values.front())
                    : "with a slope m for each head";
}

struct BiasSentence {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const AlibiBias& alibi) const {
    const char* term = alibi.side == AlibiSide::Distance ? "subtracts m·|i − j| from"
                       : alibi.side == AlibiSide::Signed ? "adds m·(j − i) to"
                                                         : "adds m·j to";
    return std::string("ALiBi ") + term + " the score of query i and key j, " + slopesText(alibi) +
           ".";
  }
  std::string operator()(const T5Bias& t5) const {
    return "T5's bias adds a number for each of " + countText(t5.table.size(), "bucket") +
           " of distances, up to " + groupedDigits(t5.maxDistance) + " tokens.";
  }
  std::string operator()(const RelativeBias& relative) const {
    return "A bias adds a number for each distance from " +
           std::to_string(-static_cast<Index>(relative.table.size() / 2)) + " to " +
           std::to_string(relative.table.size() / 2) + "; beyond, the last one.";
  }
};

} // namespace

std::string scorePath(const Scoring& scoring, double product, Index i, Index j) {
  Scoring plain = scoring;
  plain.sink.reset();
  if (plain.onlyScales())
    return {};
  const auto number = [](double value) { return readableNumber(value); };
  double u = scoring.scale * product;
  std::string text = "score " + number(u);
  const auto addBias = [&] {
    if (scoring.bias.none())
      return;
    const double b = scoring.bias.at(i + scoring.offset, j);
    u += b;
    text += " → bias " + number(b) + " → " + number(u);
  };
  if (scoring.biasFirst)
    addBias();
  if (scoring.softcap) {
    u = *scoring.softcap * std::tanh(u / *scoring.softcap);
    text += " → capped " + number(u);
  }
  if (!scoring.biasFirst)
    addBias();
  if (scoring.temperature != 1)
    text +=
        " → divided by " + number(scoring.temperature) + " → " + number(u / scoring.temperature);
  return text;
}

std::vector<std::string> scoreSentences(const ScoreModifiers& modifiers) {
  std::vector<std::string> sentences;
  const std::string bias = std::visit(BiasSentence{}, modifiers.bias);
  if (modifiers.biasFirst && !bias.empty())
    sentences.push_back(bias);
  if (modifiers.softcap)
    sentences.push_back("Scores are capped at ±" + shortest(*modifiers.softcap) + ".");
  if (!modifiers.biasFirst && !bias.empty())
    sentences.push_back(bias);
  if (modifiers.temperature != 1)
    sentences.push_back("Scores are divided by the temperature " + shortest(modifiers.temperature) +
                        ".");
  if (modifiers.sink)
    sentences.push_back(modifiers.sink->all
                            ? "A sink with the score " + shortest(modifiers.sink->values.front()) +
                                  " takes a part of every softmax."
                            : "Each head has a sink, which takes a part of every softmax.");
  return sentences;
}

std::string scoreChange(const ScoreModifiers& modifiers) {
  if (modifiers.softcap)
    return "caps its scores";
  if (modifiers.hasBias())
    return "adds a bias to its scores";
  if (modifiers.sink)
    return "has a sink in its softmax";
  return modifiers.temperature != 1 ? "divides its scores by a temperature"
                                    : "scales q·k by a number other than 1/√d";
}

} // namespace attention
