// The Mask view: which query attends to which key, as a picture whose pixels are exact shares at
// every zoom; axes in tokens, legend by part, crosshair, pins, the pinned row and column as strips,
// a minimap when zoomed in, heads and panels as small multiples under one camera, attention weights
// over the mask, and the tokens as pixels of an image (Child et al. 2019, figure 3).
//
// What it keeps between frames are textures, each rebuilt when its raster changes; their cost
// depends on the pixels of the window, never on n.
#pragma once

#include "app/gl/shader_sources.h"
#include "app/gui/interface/latest.h"
#include "app/gui/interface/results.h"
#include "app/gui/interface/view.h"
#include "app/gui/panels/panel.h"
#include "app/gui/widgets/words.h"
#include "core/analysis/tiles/best_block.h"
#include "core/analysis/tiles/rank_work.h"
#include "core/views/mask/checked_mask.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

class ViewStages;
struct MaskFrame;

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

// What to see in the mask, with what they say, in sentences.
std::vector<std::string> maskReading(const PanelContext& c);
// What they say.
std::vector<std::string> findingsRead(const PanelContext& c);

void drawTileFacts(const PanelContext& c);
void drawRankFacts(const PanelContext& c);
void drawCheckFacts(const PanelContext& c);

// ---- what the check of the first mask found, at first glance: words above it and a mark on it
// ----

// Draws the words at the top of the view's area. Returns where the room below begins.
float drawCheckAnswer(const ViewContext& context);

// Frames and names the first cell whose key comes after the query's token.
void drawFirstFuture(const ViewContext& context, const MaskFrame& frame, const Lengths& lengths);

// The OpenGL context must be current here and wherever the pane is drawn or destroyed. Pictures are
// counted by the shader where there is a graphics processor, else by jobs; `byShader` decides
// otherwise (tests).
std::unique_ptr<ViewPane> maskPane(const gl::ShaderSources& shaders,
                                   std::optional<bool> byShader = {});
std::unique_ptr<ViewStages> maskStages(Results& results);
void drawMaskOptions(const PanelContext& context); // heads, weights, image
void drawMaskFacts(const PanelContext& context);   // the cell, cost, comparison, definition

} // namespace attention::gui
