#include "app/gui/interface/jargon.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/steps/steps_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/scene/own_mask.h"
#include "core/support/number_text.h"
#include "core/views/board/board_figure.h"

#include <algorithm>

namespace attention::gui {
namespace {

std::string nameOf(const StepsLook& look, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return groupDigits(token) +
         (at < look.tokens.size() ? " “" + visibleText(look.tokens[at]) + "”" : "");
}

std::string valueText(double value) {
  return shortNumber(value, 3);
}

// "0.768 on key 1 “cat”".
std::string weightOn(const StepsLook& look, double weight, Index on) {
  return valueText(weight) + " on key " + nameOf(look, on);
}

void addSums(StepsShown& shown, const StepsAnswer& answer) {
  const SoftmaxSteps& steps = answer.softmax;
  if (tells(answer, shown.step, softmax_step::kMask))
    shown.facts.add("visible keys",
                    groupDigits(std::ssize(steps.visible)) + " of " +
                        groupDigits(std::ssize(steps.dot)),
                    "Keys that the pattern lets this query see");
  if (answer.features)
    return;
  if (steps.max && tells(answer, shown.step, softmax_step::kShift))
    shown.facts.add("largest score", valueText(*steps.max),
                    "It is subtracted before the exponential, so that nothing overflows");
  if (steps.sum && tells(answer, shown.step, softmax_step::kDivide))
    shown.facts.add("sum of exp", valueText(*steps.sum), "What the weights are divided by");
}

// What several softmaxes with gates give: the weight of a key is what it has in the sum.
void addBranches(StepsShown& shown, const StepsLook& look, const StepsAnswer& answer) {
  for (const BranchAnswer& branch : answer.branches)
    shown.facts.add(branch.name,
                    "gate " + valueText(branch.gate) + ", " +
                        groupDigits(std::ssize(branch.steps.softmax.visible)) + " of " +
                        counted(branch.steps.softmax.dot.size(), "key"),
                    branch.label + ": a softmax of its own");
  const std::vector<double>& p = answer.softmax.p;
  if (p.empty() || !tells(answer, shown.step, softmax_step::kDivide))
    return;
  const auto most = std::max_element(p.begin(), p.end());
  if (*most <= 0)
    return;
  const auto on = static_cast<Index>(most - p.begin());
  shown.facts.add("largest weight", weightOn(look, *most, on),
                  "Of all branches together: what the key has in the output");
}

// Of softmax, and before it of feature maps, whose table has weights of their own.
void addWeights(StepsShown& shown, const StepsLook& look, const StepsAnswer& answer) {
  const auto most = heaviestOfSoftmax(answer.softmax);
  if (!most)
    return;
  const double p = answer.softmax.p[static_cast<std::size_t>(*most)];
  if (!answer.features) {
    if (!tells(answer, shown.step, softmax_step::kDivide))
      return;
    shown.facts.add("largest weight", weightOn(look, p, *most), "");
    return;
  }
  const FeatureSteps& features = *answer.features;
  if (const auto own = heaviestKey(answer); own && features.denominator != 0) {
    const double a = *std::max_element(features.kernel.begin(), features.kernel.end());
    if (answer.normalized)
      shown.facts.add("largest a / Σ a", weightOn(look, a / features.denominator, *own), "");
    else
      shown.facts.add("largest a", weightOn(look, a, *own), "");
  }
  shown.facts.add("largest of softmax", weightOn(look, p, *most), "");
}

void addComparison(StepsShown& shown, const StepsAnswer& answer) {
  if (answer.output().empty() || answer.softmax.visible.empty())
    return;
  const bool divided = answer.normalized;
  const std::vector<double>& output = divided ? answer.output() : answer.features->divided;
  shown.facts.add(divided ? "difference from softmax" : "difference, if divided",
                  valueText(largestGap(output, answer.softmax.output)),
                  "The largest difference of an output from that of softmax");
}

std::string hidesText(const StepsLook& look, const SoftmaxSteps& steps) {
  const std::size_t keys = steps.dot.size();
  const std::size_t hidden = keys - steps.visible.size();
  return 2 * hidden <= keys ? ""
                            : "pattern: " + look.pattern + ", hides " + groupedDigits(hidden) +
                                  " of " + counted(keys, "key");
}

bool looksBack(const ModelHead& of) {
  if (!of.input)
    return false;
  const auto own = ownBase(*of.input, of.batch, {of.input->queries, of.input->keys});
  return own && own->past;
}

void showQuery(StepsShown& shown, const StepsLook& look, const StepsAnswer& answer) {
  shown.board = stepsBoard(answer, look.tokens);
  const Board& board = *shown.board;
  shown.title = titleWithHead(board.title, look.head);
  shown.count = std::ssize(board.steps);
  shown.step = look.step > shown.count ? 0 : look.step;
  shown.counter = stepCounter(shown.count, shown.step);
  shown.caption = sentenceAt(board, shown.step, false);
  for (Index step = 0; step <= shown.count; ++step)
    shown.rungs.push_back(boardRungs(board, step));
  shown.hides = hidesText(look, answer.softmax);
  shown.looksBack = looksBack(look.head);
  shown.facts.heading = "This query";
  addSums(shown, answer);
  if (answer.branches.empty())
    addWeights(shown, look, answer);
  else
    addBranches(shown, look, answer);
  if (answer.by != StepsBy::Softmax)
    addComparison(shown, answer);
}

void showMatrices(StepsShown& shown, const StepsLook& look, const MatrixSteps& steps) {
  shown.count = kMatrixSteps;
  shown.step = look.step > shown.count ? 0 : look.step;
  const MatrixLook with{look.tokens, look.square, look.query, shown.step};
  shown.title = titleWithHead(matrixTitle(), look.head);
  shown.counter = stepCounter(kMatrixSteps, shown.step);
  shown.caption = matrixCaption(steps, shown.step);
  shown.panels = matrixPanels(steps, with);
}

} // namespace

StepsShown makeStepsShown(const std::shared_ptr<const SceneSteps>& steps, const StepsLook& look) {
  StepsShown shown;
  shown.steps = steps;
  shown.look = look;
  if (const auto* answer = std::get_if<StepsAnswer>(steps.get()))
    showQuery(shown, look, *answer);
  else
    showMatrices(shown, look, std::get<MatrixSteps>(*steps));
  shown.reading = readingOf(*steps, look.tokens, shown.step);
  return shown;
}

} // namespace attention::gui
