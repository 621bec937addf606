#include "app/gui/pictures/view_words.h"

#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {

bool sameParts(const ShownMask& a, const ShownMask& b) {
  const auto first = a.prepared->parts();
  const auto second = b.prepared->parts();
  return std::equal(
      first.begin(), first.end(), second.begin(), second.end(),
      [](const Part& p, const Part& q) { return p.label == q.label && p.hue == q.hue; });
}

std::string canvasLabel(const Masks& masks, std::size_t tile, const char* what) {
  if (masks.tiles.size() == 1)
    return what;
  return std::string(what) + " " + std::to_string(tile + 1);
}

std::string canvasValue(const CellRect& cells) {
  return "queries " + std::to_string(cells.rowBegin) + "–" + std::to_string(cells.rowEnd) +
         ", keys " + std::to_string(cells.keyBegin) + "–" + std::to_string(cells.keyEnd);
}

void drawLine(const Ui& ui, ImVec2 at, const LineRoom& room, const ImVec4& tint,
              const std::string& words) {
  at.x = std::max(std::min(at.x, room.right - textSize(ui.fonts.small, words).x), room.left);
  at.x = std::floor(at.x);
  const std::string shown = cutToWidth(ui.fonts.small, words, room.right - at.x);
  drawText(ui.fonts.small, at, tint, shown);
  const ImVec2 size = textSize(ui.fonts.small, shown);
  recordText(ui, words, at, ImVec2(at.x + size.x, at.y + size.y));
}

std::string firstFitting(const Ui& ui, float width, const Hints& forms) {
  for (const char* words : forms)
    if (textSize(ui.fonts.small, words).x <= width)
      return words;
  return forms.back();
}

std::string hintFor(const Ui& ui, float width) {
  return firstFitting(ui, width,
                      {"scroll zooms · drag pans · F fits · click pins a query, Shift+click a key",
                       "scroll zooms · drag pans · click pins a query, Shift+click a key",
                       "scroll zooms · drag pans · click pins"});
}

std::string hintForDrawing(const Ui& ui, float width, DrawTool::Kind tool) {
  const auto rest = [&](const char* whole, const char* brief) {
    const std::string words(whole);
    const std::string all = words + ", Shift + drag to erase · the middle button pans · B to stop";
    const std::string some = words + ", Shift + drag to erase · B to stop";
    const std::string least = std::string(brief) + " · B to stop";
    return std::string(firstFitting(ui, width, {all.c_str(), some.c_str(), least.c_str()}));
  };
  switch (tool) {
  case DrawTool::Kind::Brush:
    break;
  case DrawTool::Kind::Rectangle:
    return rest("drag from corner to corner", "drag a rectangle");
  case DrawTool::Kind::Block:
    return rest("click a block or drag over several", "click or drag blocks");
  case DrawTool::Kind::Row:
    return rest("click for the whole row or drag along a part of it", "click a row");
  case DrawTool::Kind::Column:
    return rest("click for the whole column or drag along a part of it", "click a column");
  case DrawTool::Kind::Diagonal:
    return rest("click for a diagonal, drag across to make it a band", "drag across for a band");
  }
  return rest("drag to draw", "drag to draw");
}

} // namespace attention::gui
