#include "core/scene/score_words.h"

#include "core/support/number_text.h"
#include "core/support/text.h"

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
    return "T5's bias adds one number per distance bucket (" +
           countText(t5.table.size(), "bucket") + ", up to " + groupedDigits(t5.maxDistance) +
           " tokens).";
  }
  std::string operator()(const RelativeBias& relative) const {
    return "A bias adds one number per distance from " +
           groupedDigits(-static_cast<Index>(relative.table.size() / 2)) + " to " +
           groupedDigits(relative.table.size() / 2) + "; larger distances use the last one.";
  }
};

} // namespace

std::string scorePath(const Scoring& scoring, double product, Index i, Index j) {
  Scoring plain = scoring;
  plain.sink.reset();
  if (plain.onlyScales())
    return {};
  std::string text;
  double before = 0;
  scoring.walk(product, i, j, [&](ScoreStep step, double value) {
    const std::string number = readableNumber(value);
    if (step == ScoreStep::Scale)
      text = "score " + number;
    else if (step == ScoreStep::Cap)
      text += " → capped " + number;
    else if (step == ScoreStep::Bias)
      text += " → bias " + readableNumber(value - before) + " → " + number;
    else
      text += " → divided by " + readableNumber(scoring.temperature) + " → " + number;
    before = value;
  });
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
    sentences.push_back(
        modifiers.sink->all
            ? "A sink with the score " + shortest(modifiers.sink->values.front()) +
                  " takes part of the weight in every softmax."
            : "Each head has a sink, which takes part of the weight in every softmax.");
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
