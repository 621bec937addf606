// What views write beside their pictures: names for scripts, lines of words, the hint.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"

#include <initializer_list>
#include <string>

namespace attention::gui {

// Whether one legend serves both.
bool sameParts(const ShownMask& a, const ShownMask& b);

// "Mask", or "Mask 2" for one of several.
std::string canvasLabel(const Masks& masks, std::size_t tile, const char* what = "Mask");
// "queries 0–128, keys 0–128": what a script may check.
std::string canvasValue(const CellRect& cells);

// A line of small words at `at`; where they do not fit before `right` they begin further left, but
// not before `left`, and end with an ellipsis.
struct LineRoom {
  float left;
  float right;
};
void drawLine(const Ui& ui, ImVec2 at, const LineRoom& room, const ImVec4& tint,
              const std::string& words);

// The same words in several lengths, from long to short.
using Hints = std::vector<const char*>;
// The first one that fits, else the last.
std::string firstFitting(const Ui& ui, float width, const Hints& forms);

// What pointer and keys do, in as many words as fit.
std::string hintFor(const Ui& ui, float width);
// The same while it draws by hand.
std::string hintForDrawing(const Ui& ui, float width, DrawTool::Kind tool);

} // namespace attention::gui
