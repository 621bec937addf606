// The tiles of block-sparse kernels over a matrix: full ones veiled, partial ones crossed.
#pragma once

#include "app/gui/views/mask/mask_screen.h"

namespace attention::gui {

struct TilesStanding {
  bool late = false; // newer ones are being counted
  bool sampled = false;
  Index group = 1; // a square stands for group × group tiles
};

// Requests the kinds of the visible tiles and draws the newest that there are.
TilesStanding drawTiles(const MaskScreen& screen, std::size_t tile);

} // namespace attention::gui
