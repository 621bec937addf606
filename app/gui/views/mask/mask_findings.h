// What the Mask view computes about its first mask while it shows it, each as a job: tiles,
// ranks, the check.
#pragma once

#include "app/gui/interface/latest.h"
#include "app/gui/interface/results.h"
#include "app/gui/panels/panel.h"
#include "app/gui/widgets/words.h"
#include "core/analysis/tiles/best_block.h"
#include "core/analysis/tiles/rank_work.h"
#include "core/views/mask/checked_mask.h"

#include <memory>
#include <string>
#include <vector>

namespace attention::gui {

struct TilesShown {
  BlockSize block;
  TileCounts counts;
};

struct RanksShown {
  RankQuestion question;
  RankWork work;
};

struct MaskFindings {
  Latest<TilesShown> tiles;
  Latest<BlockChoice> blocks;
  Latest<RanksShown> ranks;
  Latest<CheckedMask> check;
};

// Whether there is something to show; else, or where it is older than the masks, words say why.
template <class T>
bool isThere(const Ui& ui, const Latest<T>& finding, const char* working) {
  if (finding.problem)
    note(ui, *finding.problem);
  else if (!finding || finding.stale)
    caption(ui, working);
  return finding && !finding.problem;
}

// ---- parts of the inspector, one for each of them; each draws nothing unless it is asked ----

// What they say, in sentences: for 'read this'.
std::vector<std::string> findingsRead(const PanelContext& c);

void drawTileFacts(const PanelContext& c);
void drawRankFacts(const PanelContext& c);
void drawCheckFacts(const PanelContext& c);

} // namespace attention::gui
