// The pointer over plots: what they say about the place under it, and zoom, pan and pins over
// matrices that show whole cells.
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/interface/view.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/ui.h"
#include "core/plot/figure.h"

#include <optional>
#include <string>

namespace attention::gui {

// The point of a curve next to the pointer (point_words.h, `number` too); over a field of colours
// its value there. Empty if nothing is near. `box`: what the axes span, in points.
std::string wordsAt(const CurvesMark& mark, const Rect& box, ImVec2 pointer, float reach,
                    const std::string& number = {});

// The cell of a matrix under the pointer; nothing outside it.
std::optional<Hover> cellUnder(const ValuesMark& mark, const Rect& box, ImVec2 pointer);

// The box of a diagram under the pointer; null if there is none.
const DiagramBox* boxUnder(const DiagramMark& mark, const Rect& box, ImVec2 pointer);

// Pointer and keyboard over matrices that show whole cells: zoom, pan and pins, as in the Mask view
// but with cameras whose edges lie between cells.
class WholeCellPointer {
public:
  // Emits camera and pins. `box`: what the mark fills, in points. Returns the cell under the
  // pointer.
  std::optional<Hover> point(const ViewContext& context, CanvasInput input, const ValuesMark& mark,
                             const Rect& box);
  // Arrows move the pins, + and − zoom. Call it in frames in which the view has the keyboard.
  void press(const ViewContext& context, const ValuesMark& mark, const Rect& box) const;

private:
  float restX_ = 0; // of a drag, less than a cell
  float restY_ = 0;
};

// How many whole cells of `cell` points each the pointer has `moved`, counting what was left over
// before; what is left over now stays in `rest`.
float wholePart(float& rest, float moved, float cell);

// The camera over whole cells nearest to `wanted` when it moves, and at least one cell larger or
// smaller when it zooms; nothing for the whole mask.
std::optional<Camera> wholeCells(const std::optional<Camera>& wanted, const attention::Rect& before,
                                 const Lengths& lengths);

} // namespace attention::gui
