// What the Steps picture of the Attention view shows.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/interface/latest.h"
#include "core/plot/figure.h"
#include "core/views/steps/scene_steps.h"
#include "core/views/steps/steps_board.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

// What the picture is made of.
struct StepsShownKey {
  std::shared_ptr<const SceneSteps> steps;
  Index step = 0;
  Pins pins;
  std::vector<std::string> tokens; // labels of the keys, or empty
  bool square = true;
  bool operator==(const StepsShownKey&) const = default;
};

// A board with the plot of it.
struct ShownBoard {
  Board board; // of all steps
  Plot plot;
};

struct StepsShown {
  std::string title;
  std::string caption;
  Index step = 0;  // 0: all
  Index count = 0; // of the steps
  std::optional<ShownBoard> board;
  std::optional<ShownBoard> narrow; // the same with fewer columns
  std::vector<FigurePanel> panels;  // of the whole matrix
  std::vector<Fact> facts;
  std::vector<std::string> reading;
};
StepsShown makeStepsShown(const StepsShownKey& key);

struct StepsResults {
  Latest<SceneSteps> steps;
  Latest<StepsShown> shown;
  std::optional<Problem> problem = {};

  bool pending() const { return steps.pending || shown.pending; }
};

} // namespace attention::gui
