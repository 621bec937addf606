// What one frame of the Mask view is made of: the masks, where each part of the view lies, the map
// from cells to points of each matrix.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"
#include "app/gui/views/mask/mask_layout.h"
#include "app/gui/views/mask/mask_legend.h"
#include "app/gui/views/mask/token_image.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {

struct MaskScreen {
  const ViewContext& context;
  const Masks& masks;
  MaskLayout layout;
  MaskLegends legends;
  bool cornerLegends = true;     // else below the matrices, or beside each
  std::vector<MaskFrame> frames; // one per matrix
  std::optional<ImageShape> image;
  float density = 1;                       // pixels per point
  std::span<const std::string> words = {}; // token labels of the axes; empty: numbers
  bool legendsBeside = false;
  float lastLegend = 0; // points of the last one's, where that stands beside its matrix alone

  const Lengths& lengths() const { return masks.lengths; }
  // That of the image where it stands outside of the view's area.
  std::optional<RoomElsewhere> roomApart() const {
    return layout.images.size() == 1 ? context.imageRoom : std::nullopt;
  }
  // Where words below a matrix end: one alone has the room at its right.
  float wordsRight(std::size_t tile) const;
  // Where the legend of a matrix stands that is not in its corner: beside or below it; the last
  // one's in the blank cell after it where that has room, and below would take more lines than any
  // other's.
  Rect legendPlace(std::size_t tile) const;
  bool legendAfter(std::size_t tile) const; // whether there
};

// What a matrix is called below it, in up to two lines that are no wider than `width`.
std::string titleBelow(const MaskScreen& screen, std::size_t tile, float width);

// Whether the first mask shows attention weights in place of its parts: of several only that one
// can.
bool showsWeights(const ViewContext& context);

// Whether the weights that were asked for cannot be shown.
bool lacksWeights(const ViewContext& context);
// Whether the last line says so, or what can be done with the matrices: not below a single one
// where the view is low, as its height is the matrix's.
bool showsHint(const ViewContext& context);

// Points that the tokens' words want at the left of the matrices and above them: all of the tokens
// on which the layout depends. None where there are none, or too many for words at any zoom that
// shows the whole mask. The context's masks must be there.
ImVec2 roomForWords(const ViewContext& context);

// Likewise.
MaskScreen maskScreen(const ViewContext& context);

// Where the image of a matrix lies: a single one has captions in its room.
Rect imagePlace(const MaskScreen& screen, std::size_t tile);

// ---- pointer and keyboard over all parts: matrices, minimap, images ----

// Emits camera, pins and hover. Before anything is drawn, so that what is drawn lies on top.
void takeInput(const MaskScreen& screen);

} // namespace attention::gui
