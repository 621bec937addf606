// What the Compare view shows besides its masks: the difference of the two patterns, and the score
// board.
#pragma once

#include "app/gui/interface/results.h"
#include "core/views/compare/scene_compare.h"

namespace attention::gui {

// The Compare view's score board, as far as it is computed, with its drawing.
struct ScoresShown {
  std::vector<ScoreLine> lines; // in the order of the Scene
  Plot mass;
  Plot error;
  std::vector<std::string> reading;
};

struct CompareResults {
  std::vector<CellFacts> cells; // the one under the pointer, in every compared pattern
  Latest<Difference> difference;
  Latest<ScoresShown> scores;
};

} // namespace attention::gui
