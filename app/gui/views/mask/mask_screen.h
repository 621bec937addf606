// What one frame of the Mask view is made of: the masks, where each part of the view lies, the map
// from cells to points of each matrix.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"
#include "app/gui/views/mask/mask_layout.h"
#include "app/gui/views/mask/mask_legend.h"
#include "app/gui/views/mask/mask_strokes.h"
#include "app/gui/views/mask/token_image.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {

struct MaskScreen {
  const ViewContext& context;
  const Masks& masks; // as they are drawn
  MaskLayout layout;
  MaskLegends legends;
  bool cornerLegends = true;     // else below the matrices, or beside each
  std::vector<MaskFrame> frames; // one per matrix
  std::optional<ImageShape> image;
  float density = 1;                       // pixels per point
  std::span<const std::string> words = {}; // token labels of the axes; empty: numbers
  bool legendsBeside = false;
  float lastLegend = 0; // points of the last one's legend, where only that stands beside its matrix

  const Lengths& lengths() const { return masks.lengths; }
  // The window of the image where it stands outside the view's area.
  std::optional<RoomElsewhere> roomApart() const {
    return layout.images.size() == 1 ? context.imageRoom : std::nullopt;
  }
  // Whether the left button draws.
  bool drawsByHand() const {
    return context.draw.on && canDraw(context.scene) && !context.presented && !context.blocked;
  }
  // Where words below a matrix end: one alone has the room at its right.
  float wordsRight(std::size_t tile) const;
  // Where the legend of a matrix stands if not in its corner: beside or below it; the last one's
  // goes into the blank cell after it where it fits there and would need more lines below than any
  // other's.
  Rect legendPlace(std::size_t tile) const;
  bool legendAfter(std::size_t tile) const; // whether it is there
};

// The title below a matrix, in up to two lines no wider than `width`.
std::string titleBelow(const MaskScreen& screen, std::size_t tile, float width);

// Whether the first mask shows attention weights in place of its parts: of several, only the first
// can.
bool showsWeights(const ViewContext& context);

// Whether weights are requested but cannot be shown.
bool lacksWeights(const ViewContext& context);
// Whether the last line says so, or what can be done with the matrices: not below a single one in a
// low view, where the matrix needs the height.
bool showsHint(const ViewContext& context);
// Whether that line says which cells are shown: of a comparison, where these are not all.
bool showsPart(const ViewContext& context);

// Points that the tokens' words need to the left of the matrices and above them; the layout depends
// on the tokens only through these. None if there are none, or too many for words at any zoom
// that shows the whole mask. The context must have masks.
ImVec2 roomForWords(const ViewContext& context);

// Likewise; `drawn` are the context's masks, with layers that are no part of them
// (branch_layers.h).
MaskScreen maskScreen(const ViewContext& context, const Masks& drawn);
MaskScreen maskScreen(const ViewContext& context);

// Where the image of a matrix lies: a single image has captions in its room.
Rect imagePlace(const MaskScreen& screen, std::size_t tile);

// ---- pointer and keyboard over all parts: matrices, minimap, images ----

// Emits camera, pins and hover. Before anything is drawn, so that what is drawn lies on top.
void takeInput(const MaskScreen& screen, StrokesByHand& strokes);

// ---- tiles of block-sparse kernels over a matrix: full ones veiled, partial ones crossed ----

struct TilesStanding {
  bool late = false; // newer ones are being counted
  bool sampled = false;
  Index group = 1; // a square stands for group × group tiles
};

// Requests the kinds of the visible tiles and draws the newest that there are.
TilesStanding drawTiles(const MaskScreen& screen, std::size_t tile);

} // namespace attention::gui
