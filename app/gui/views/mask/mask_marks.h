// What stands beside the picture of a matrix and lies over it. Beside: axes, the numbers of cells
// (core/plot/ticks.h), each at the middle of its cell, or the token's words where a cell is large
// enough to read them. Over it: gaps between large cells, the pinned row and column, the crosshair
// and the cell under the pointer.
#pragma once

#include "app/gui/pictures/mask_camera.h"
#include "app/gui/widgets/ui.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {

// ---- axes ----

struct AxesSpec {
  bool keys = true;                                    // ticks above
  bool queries = true;                                 // ticks on the left
  float keysRight = std::numeric_limits<float>::max(); // the right limit of the numbers above
  std::span<const std::string> keyWords = {};          // labels of the keys; empty: numbers
  std::span<const std::string> queryWords = {};        // and of the queries
  float left = 0;                                      // points for words to the left of the matrix
  float above = 0;                                     // and above it
  std::optional<Cell> pointed = {};                    // its numbers stand on tags, no others there
};

// The keys that have numbers above a matrix, those in sight.
std::vector<Index> numberedKeys(const Ui& ui, const MaskFrame& frame, const Lengths& lengths);

// The left limit of the first number above a matrix, with half of it over the left edge.
float keysLeft(const Ui& ui, const MaskFrame& frame, const Lengths& lengths);

// Points that numbers need to the left of the matrix and above it. Words also take the room of the
// titles.
float axisWidth(const Ui& ui, const Lengths& lengths);
float axisHeight(const Ui& ui);

// Points that these labels need to the left of the matrix and above it.
ImVec2 roomOfLabels(const Ui& ui, std::span<const std::string> queries,
                    std::span<const std::string> keys);

// Whether cells are large enough for words beside them, so that AxesSpec may have words.
bool wordsFit(const Ui& ui, const MaskFrame& frame);

void drawAxes(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const AxesSpec& spec);

// "key j" above and "query i" on the left, centred on `block`; `left` and `top` are their places.
void drawAxisTitles(const Ui& ui, const Rect& block, float left, float top);

// The same in the corner of `block`, where words take up the room beside and above it; shorter
// where two lines would reach above `top`.
void drawCornerTitles(const Ui& ui, const Rect& block, float top);

// ---- over the picture ----

// Thin lines of background between cells that are drawn as squares; `density` is pixels per point.
void drawGaps(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, float density);

// The frame around the mask.
void drawOutline(const Ui& ui, const MaskFrame& frame, const Lengths& lengths);

// Frames the pinned row and the pinned column; `pale` makes everything else paler, which must not
// happen to colours that stand for numbers.
void drawPins(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const Pins& pins,
              bool pale);

// Lines through a cell and a box around it.
void drawCrosshair(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const Cell& cell);

} // namespace attention::gui
