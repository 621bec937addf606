#include "app/gui/views/picture_parts.h"

#include "app/gui/views/mask_words.h"
#include "app/gui/views/paint.h"
#include "app/gui/widgets/drawing.h"

namespace attention::gui {

Lines::Lines(const Rect& area) : right_(contentRight()) {
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  setContentRight(area.x1);
  ImGui::BeginGroup();
}

Lines::~Lines() {
  ImGui::EndGroup();
  setContentRight(right_);
}

void drawPictureTitle(const Ui& ui, const Rect& area, const std::string& title) {
  const std::string words = cutToWidth(ui.fonts.bold, title, widthOf(area));
  const ImVec2 at(area.x0, area.y0 + ui.px(6));
  drawText(ui.fonts.bold, at, ui.colors().text, words);
  recordText(ui, words, at, ImVec2(area.x1, area.y1));
}

void drawLineIn(const Ui& ui, const Rect& area, const std::string& words) {
  drawLine(ui, ImVec2(area.x0, area.y0), {area.x0, area.x1}, ui.colors().dim, words);
}

void drawSwatches(const Ui& ui, const Rect& area, const std::vector<LegendEntry>& entries) {
  float x = area.x0;
  for (const LegendEntry& entry : entries) {
    const float wide = ui.px(19) + textSize(ui.fonts.small, entry.label).x;
    if (x + wide > area.x1)
      return;
    fill({x, area.y0 + ui.px(2), x + ui.px(13), area.y0 + ui.px(15)}, color(toFloats(entry.color)));
    drawText(ui.fonts.small, ImVec2(x + ui.px(19), area.y0), ui.colors().dim, entry.label);
    recordText(ui, entry.label, ImVec2(x, area.y0), ImVec2(x + wide, area.y1));
    x += wide + ui.px(18);
  }
}

void frameCell(const Ui& ui, const ValuesMark& mark, const Rect& box, const Hover& hover) {
  const auto& cells = mark.cells;
  if (!hover.query || !hover.key || *hover.query < cells.rowBegin || *hover.query >= cells.rowEnd ||
      *hover.key < cells.keyBegin || *hover.key >= cells.keyEnd)
    return;
  const float wide = widthOf(box) / static_cast<float>(cells.keyEnd - cells.keyBegin);
  const float high = heightOf(box) / static_cast<float>(cells.rowEnd - cells.rowBegin);
  const float x = box.x0 + wide * static_cast<float>(*hover.key - cells.keyBegin);
  const float y = box.y0 + high * static_cast<float>(*hover.query - cells.rowBegin);
  gui::box({x, y, x + wide, y + high}, color(ui.colors().text), ui.px(1.5F));
}

} // namespace attention::gui
