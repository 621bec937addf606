// Pointer and keyboard over matrices that show whole cells: zoom, pan and pins, as in the Mask view
// but with cameras whose edges lie between cells.
#pragma once

#include "app/gui/view/view.h"
#include "app/gui/widgets/canvas.h"
#include "core/figure/figure.h"

#include <optional>

namespace attention::gui {

class WholeCellPointer {
public:
  // Emits camera and pins. `box`: what the mark fills, in points. The cell under the pointer.
  std::optional<Hover> point(const ViewContext& context, CanvasInput input, const ValuesMark& mark,
                             const Rect& box);
  // Arrows move the pins, + and − zoom. For the frame in which the view has the keyboard.
  void press(const ViewContext& context, const ValuesMark& mark, const Rect& box) const;

private:
  float restX_ = 0; // of a drag, less than a cell
  float restY_ = 0;
};

// Whole cells, of `cell` points each, of what was `moved` and what was left of that before; what is
// left of it now waits in `rest`.
float wholePart(float& rest, float moved, float cell);

// The camera over whole cells that is nearest to `wanted` where it moves, and one cell larger or
// smaller at least where it zooms; nothing for the whole mask.
std::optional<Camera> wholeCells(const std::optional<Camera>& wanted, const attention::Rect& before,
                                 const Lengths& lengths);

} // namespace attention::gui
