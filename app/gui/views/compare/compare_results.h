// What the Compare view shows beside its masks: the two patterns against one another, and the score
// board.
#pragma once

#include "app/gui/interface/results.h"
#include "core/views/compare/scene_compare.h"

namespace attention::gui {

// The score board of the Compare view, as far as it is computed, with what is drawn of it.
struct ScoresShown {
  std::vector<ScoreLine> lines; // in the order of the Scene
  Plot mass;
  Plot error;
  std::vector<std::string> reading;
};

struct CompareResults {
  std::vector<CellFacts> cells; // the one that is pointed at, in every compared pattern
  Latest<Difference> difference;
  Latest<ScoresShown> scores;
};

} // namespace attention::gui
