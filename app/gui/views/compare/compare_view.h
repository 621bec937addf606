// The Compare view: the compared patterns and the difference of two of them under one camera, and
// what mechanisms cost against what they keep.
#pragma once

#include "app/gl/shader_sources.h"
#include "app/gui/interface/results.h"
#include "app/gui/interface/view.h"
#include "core/views/compare/scene_compare.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

std::unique_ptr<ViewPane> comparePane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> compareStages(Results& results);
void drawCompareOptions(const PanelContext& context); // what is compared, and what else is scored
void drawCompareFacts(const PanelContext& context);   // the difference, the score board

// ---- what it shows besides its masks ----

// The score board, as far as it is computed, with its drawing.
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
  // The same board with S31's numbers: made only where these are told (tellsChoices).
  Latest<ScoresShown> choices;

  // What is known of the board; there are scores.
  const ScoresShown& board() const { return choices && !choices.stale ? *choices : *scores; }
};

} // namespace attention::gui
