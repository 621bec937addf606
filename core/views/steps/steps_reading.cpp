// What to see in the steps of a query, or of all queries, in sentences (scene_steps.h).
#include "core/support/number_text.h"
#include "core/views/steps/scene_steps.h"
#include "core/views/steps/steps_board.h"

#include <algorithm>

namespace attention {
namespace {

using Sentences = std::vector<std::string>;
using Tokens = std::span<const std::string>;

constexpr Index kSoftmaxMatrix = 4; // of the five in which all queries are computed

std::string nameOf(Index token, Tokens tokens) {
  const auto at = static_cast<std::size_t>(token);
  return groupedDigits(token) + (at < tokens.size() ? " “" + tokens[at] + "”" : "");
}

// Of several softmaxes with gates: the weight of a key is what it has in their sum.
std::string heaviestOfBranches(const StepsAnswer& answer, Tokens tokens, Index step) {
  const std::vector<double>& p = answer.softmax.p;
  const auto most = std::max_element(p.begin(), p.end());
  if (most == p.end() || *most <= 0 || !tells(answer, step, softmax_step::kDivide))
    return {};
  return "Key " + nameOf(static_cast<Index>(most - p.begin()), tokens) +
         " has the largest part of the output, " + sharePercent(*most) + ", over all branches.";
}

// Of softmax, and before it of feature maps, whose table has weights of their own.
std::string heaviestText(const StepsAnswer& answer, Tokens tokens, Index step) {
  if (!answer.branches.empty())
    return heaviestOfBranches(answer, tokens, step);
  const auto most = heaviestOfSoftmax(answer.softmax);
  if (!most)
    return tells(answer, step, softmax_step::kMask) ? "The query sees no key, so its output is 0."
                                                    : "";
  const double p = answer.softmax.p[static_cast<std::size_t>(*most)];
  if (!answer.features)
    return tells(answer, step, softmax_step::kDivide)
               ? "Key " + nameOf(*most, tokens) + " gets the largest weight, " + sharePercent(p) +
                     "."
               : "";
  const FeatureSteps& features = *answer.features;
  const auto own = heaviestKey(answer);
  if (!own || features.denominator == 0)
    return {};
  const double a = *std::max_element(features.kernel.begin(), features.kernel.end());
  const std::string softmax =
      own == most ? "it " + sharePercent(p)
                  : "its largest weight to key " + nameOf(*most, tokens) + ", " + sharePercent(p);
  return "Key " + nameOf(*own, tokens) +
         (answer.normalized ? " gets the largest weight, " + sharePercent(a / features.denominator)
                            : " has the largest a, " + readableNumber(a)) +
         "; softmax gives " + softmax + ".";
}

// Outputs that are not divided are on no scale of softmax.
std::string undividedText(const StepsAnswer& answer) {
  const FeatureSteps& features = *answer.features;
  return "The output is not divided by Σ a = " + readableNumber(features.denominator) +
         ": it grows with the number of keys and is not on the scale of softmax. Divided, it would "
         "differ by up to " +
         readableNumber(largestGap(features.divided, answer.softmax.output)) + ".";
}

// How far another way is from softmax.
std::string gapText(const StepsAnswer& answer) {
  if (!answer.normalized)
    return undividedText(answer);
  const double gap = largestGap(answer.output(), answer.softmax.output);
  if (answer.by == StepsBy::Online)
    return gap > 0
               ? "Online softmax gives the same output up to rounding: " + readableNumber(gap) + "."
               : "Online softmax gives exactly the same output.";
  return (answer.by == StepsBy::Linear ? "Linear attention is another function: its outputs differ "
                                         "from softmax by up to "
                                       : "The estimate differs from softmax by up to ") +
         readableNumber(gap) + ".";
}

Sentences readQuery(const StepsAnswer& answer, Tokens tokens, Index step) {
  Sentences said;
  if (std::string heaviest = heaviestText(answer, tokens, step); !heaviest.empty())
    said.push_back(std::move(heaviest));
  const bool seesKeys = !answer.softmax.visible.empty();
  if (answer.by != StepsBy::Softmax && seesKeys && !answer.output().empty())
    said.push_back(gapText(answer));
  return said;
}

} // namespace

bool tells(const StepsAnswer& answer, Index step, Index first) {
  return answer.by != StepsBy::Softmax || step == 0 || step >= first;
}

std::optional<Index> heaviestOfSoftmax(const SoftmaxSteps& steps) {
  if (steps.p.empty())
    return std::nullopt;
  const auto most =
      std::max_element(steps.visible.begin(), steps.visible.end(), [&](Index a, Index b) {
        return steps.p[static_cast<std::size_t>(a)] < steps.p[static_cast<std::size_t>(b)];
      });
  return most == steps.visible.end() ? std::nullopt : std::optional(*most);
}

std::vector<std::string> readingOf(const SceneSteps& steps, std::span<const std::string> tokens,
                                   Index step) {
  if (const auto* answer = std::get_if<StepsAnswer>(&steps))
    return readQuery(*answer, tokens, step);
  if (step != 0 && step < kSoftmaxMatrix)
    return {};
  return {
      std::get<MatrixSteps>(steps).gated
          ? "Each row of the fourth matrix says how much of every value the row's output takes, "
            "over all branches."
          : "Each row of the fourth matrix sums to 1: it says how much of every value the row's "
            "output takes."};
}

} // namespace attention
