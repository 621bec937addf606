// What a plot says about the place under the pointer.
#pragma once

#include "app/gui/view/actions.h"
#include "app/gui/widgets/ui.h"
#include "core/figure/figure.h"

#include <optional>
#include <string>

namespace attention::gui {

// The point of a curve next to the pointer: "trig, iid · 64 · 1.0 × 10⁻⁵"; over a field of colours
// its value there. Empty where nothing is near. `box`: what the axes span, in points.
std::string wordsAt(const CurvesMark& mark, const Rect& box, ImVec2 pointer, float reach);

// The cell of a matrix under the pointer; nothing outside of it.
std::optional<Hover> cellUnder(const ValuesMark& mark, const Rect& box, ImVec2 pointer);

// The box of a diagram under the pointer; null where there is none.
const DiagramBox* boxUnder(const DiagramMark& mark, const Rect& box, ImVec2 pointer);

} // namespace attention::gui
