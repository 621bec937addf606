// What views of several pictures share: a title, swatches, a line of words, a framed cell.
#pragma once

#include "app/gui/view/actions.h"
#include "app/gui/widgets/ui.h"
#include "core/figure/figure.h"

#include <string>
#include <vector>

namespace attention::gui {

// Bold, at the top of `area`, cut to its width.
void drawPictureTitle(const Ui& ui, const Rect& area, const std::string& title);

// Small words at the top of `area`.
void drawLineIn(const Ui& ui, const Rect& area, const std::string& words);

// Swatches with words in a row, as many as fit.
void drawSwatches(const Ui& ui, const Rect& area, const std::vector<LegendEntry>& entries);

// A frame around the cell of a matrix that the pointer is on, whichever matrix that is; `box`: what
// the mark fills, in points.
void frameCell(const Ui& ui, const ValuesMark& mark, const Rect& box, const Hover& hover);

} // namespace attention::gui
