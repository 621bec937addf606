// The Steps picture of the Attention view: one query computed, every number on a board, or the
// whole matrix of few tokens.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "core/plot/figure.h"
#include "core/views/board/board_figure.h"
#include "core/views/steps/scene_steps.h"
#include "core/views/steps/steps_board.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

class ViewStages;
struct PanelContext;

// How the picture shows the steps.
struct StepsLook {
  Index step = 0;
  std::optional<Index> query;      // its row of the matrices is lit
  std::string pattern;             // its title
  ModelHead head;                  // that the title names
  std::vector<std::string> tokens; // labels of the keys, or empty
  bool square = true;
  bool operator==(const StepsLook&) const = default;
};

struct StepsShown {
  std::shared_ptr<const SceneSteps> steps;
  StepsLook look;
  std::string title;
  std::string counter; // "Step 2 of 9. "
  std::string caption;
  std::string hides;      // "pattern: Strided, hides 124 of 144 keys", where it hides most of them
  bool looksBack = false; // the model is a decoder: without the pattern its attention is causal
  Index step = 0;         // 0: all
  Index count = 0;        // of the steps
  std::optional<Board> board;                // of all steps; none of the whole matrix
  std::vector<std::vector<BoardRung>> rungs; // of all steps, then of each
  std::vector<FigurePanel> panels;           // of the whole matrix
  Facts facts;
  std::vector<std::string> reading;
};
StepsShown makeStepsShown(const std::shared_ptr<const SceneSteps>& steps, const StepsLook& look);

struct StepsResults {
  Latest<SceneSteps> steps;
  Latest<StepsShown> shown;
  std::optional<Problem> problem = {};

  bool pending() const { return steps.pending || shown.pending; }
};

std::unique_ptr<ViewPane> stepsPane();
std::unique_ptr<ViewStages> stepsStages(Results& results);
void drawStepsOptions(const PanelContext& context);
void drawStepsFacts(const PanelContext& context);

} // namespace attention::gui
