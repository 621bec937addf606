#include "app/gui/interface/jargon.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/steps/steps_results.h"
#include "app/gui/widgets/group_digits.h"
#include "core/views/board/board_figure.h"

#include <algorithm>

namespace attention::gui {
namespace {

std::string nameOf(const StepsShownKey& key, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return groupDigits(token) +
         (at < key.tokens.size() ? " “" + visibleText(key.tokens[at]) + "”" : "");
}

std::string valueText(double value) {
  return shortNumber(value, 3);
}

// The visible key with the largest weight; nothing where there is none.
std::optional<Index> heaviest(const SoftmaxSteps& steps) {
  const auto most =
      std::max_element(steps.visible.begin(), steps.visible.end(), [&](Index a, Index b) {
        return steps.p[static_cast<std::size_t>(a)] < steps.p[static_cast<std::size_t>(b)];
      });
  return most == steps.visible.end() ? std::nullopt : std::optional(*most);
}

void addSoftmaxFacts(StepsShown& shown, const StepsShownKey& key, const StepsAnswer& answer) {
  const SoftmaxSteps& steps = answer.softmax;
  shown.facts.push_back(
      {"visible keys",
       groupDigits(std::ssize(steps.visible)) + " of " + groupDigits(std::ssize(steps.dot)),
       "Keys that the pattern lets this query see"});
  if (steps.max)
    shown.facts.push_back({"largest score", valueText(*steps.max),
                           "It is subtracted before the exponential, so that nothing overflows"});
  if (steps.sum)
    shown.facts.push_back({"sum of exp", valueText(*steps.sum), "What the weights are divided by"});
  if (const auto most = heaviest(steps)) {
    const double p = steps.p[static_cast<std::size_t>(*most)];
    shown.facts.push_back({"largest weight", valueText(p) + " on key " + nameOf(key, *most), ""});
    shown.reading.push_back("Key " + nameOf(key, *most) + " gets the largest weight, " +
                            percent(p) + ".");
  } else {
    shown.reading.push_back("The query sees no key, so its output is zero.");
  }
}

void addComparison(StepsShown& shown, const StepsAnswer& answer) {
  if (answer.output().empty())
    return;
  const double gap = largestGap(answer.output(), answer.softmax.output);
  shown.facts.push_back({"difference from softmax", valueText(gap),
                         "The largest difference of an output from that of softmax"});
  if (answer.online)
    shown.reading.push_back(
        gap > 0 ? "Online softmax gives the same output up to rounding: " + valueText(gap) + "."
                : "Online softmax gives exactly the same output.");
  else
    shown.reading.push_back(std::string(answer.by == StepsBy::Linear
                                            ? "Linear attention is another function: its "
                                              "outputs differ from softmax by up to "
                                            : "The estimate differs from softmax by up to ") +
                            valueText(gap) + ".");
}

void showQuery(StepsShown& shown, const StepsShownKey& key, const StepsAnswer& answer) {
  Board board = stepsBoard(answer, key.tokens);
  shown.title = board.title;
  shown.count = std::ssize(board.steps);
  shown.step = key.step > shown.count ? 0 : key.step;
  shown.caption = boardAt(board, shown.step).formula;
  Board less = withoutExtras(board);
  Plot narrow = boardPlot(less, shown.step, key.pins.key);
  shown.narrow = ShownBoard{std::move(less), std::move(narrow)};
  Plot plot = boardPlot(board, shown.step, key.pins.key);
  shown.board = ShownBoard{std::move(board), std::move(plot)};
  addSoftmaxFacts(shown, key, answer);
  if (answer.by != StepsBy::Softmax)
    addComparison(shown, answer);
}

void showMatrices(StepsShown& shown, const StepsShownKey& key, const MatrixSteps& steps) {
  shown.count = kMatrixSteps;
  shown.step = key.step > shown.count ? 0 : key.step;
  Figure figure =
      matrixFigure(steps, {key.tokens, key.square, key.pins.query, shown.step}, FigureTheme::Light);
  shown.title = std::move(figure.title);
  shown.caption = std::move(figure.caption);
  shown.panels = std::move(figure.panels);
  shown.reading.push_back("Each row of the fourth matrix sums to 1: it says how much of every "
                          "value the row's output takes.");
}

} // namespace

StepsShown makeStepsShown(const StepsShownKey& key) {
  StepsShown shown;
  if (const auto* answer = std::get_if<StepsAnswer>(key.steps.get()))
    showQuery(shown, key, *answer);
  else
    showMatrices(shown, key, std::get<MatrixSteps>(*key.steps));
  return shown;
}

} // namespace attention::gui
