// The Compare view in the window.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/compare/compare_view.h"
#include "core/support/error.h"
#include "core/views/compare/scene_compare.h"

#include <algorithm>
#include <memory>

namespace attention::gui {
namespace {

// It begins with the cells around the first difference.
std::optional<Camera> wholeOfAll(const Results& results) {
  return wholeCamera(results.lengths);
}

// Whether the input has a score board.
bool hasBoard(const CommandScene& shown) {
  try {
    const Index n = scoresQuestion(shown.scene, shown.lengths).n;
    return shown.input && shown.input->hasQkv() &&
           n <= std::min(shown.input->queries, shown.input->keys);
  } catch (const Error&) {
    return false;
  }
}

// The numbers of the two that are compared cell by cell, then the score board with what its plots
// show. Patterns that read an input without flags are only on the board.
std::string commandOf(const CommandScene& shown) {
  checkCompare(shown.scene.compare);
  const std::vector<Panel> panels = comparedOf(shown.scene.compare);
  Pattern first = panels.at(static_cast<std::size_t>(shown.scene.compare.first)).pattern;
  Pattern second = panels.at(static_cast<std::size_t>(shown.scene.compare.second)).pattern;
  const bool reads = needsData(first) || needsData(second);
  if (reads && !shown.hasInput())
    return tableText(shown.scene);
  for (Pattern* pattern : {&first, &second})
    *pattern = reads ? besideInput(shown, *pattern) : *pattern;
  return "attnx diff" + (reads ? inputFlags(shown) : "") + " " + patternText(first) + " --with " +
         furtherPatternText(second) + (reads ? "" : lengthFlags(shown)) +
         (hasBoard(shown) ? " && " + tableText(shown.scene) : "");
}

} // namespace

WindowView compareWindow() {
  return {.view = View::Compare,
          .label = "Compare",
          .action = "view.compare",
          .tooltip = "Patterns side by side: where they differ, what they cost and keep",
          .key = Key::Digit8,
          .leastHeight = 520,
          .leastHeightNarrow = 940,
          .fitted = wholeOfAll,
          .stages = compareStages,
          .pane = comparePane,
          .options = drawCompareOptions,
          .facts = drawCompareFacts,
          .sizes = pairsText,
          .command = commandOf,
          .step = stepPinnedQuery};
}

} // namespace attention::gui
