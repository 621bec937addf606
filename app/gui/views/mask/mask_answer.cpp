#include "app/gui/pictures/mask_camera.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/mask/draw_strip.h"
#include "app/gui/views/mask/mask_view.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr float kBesideAnswer = 14; // at scale 1, as all lengths here
constexpr float kAboveAnswer = 8;
constexpr float kBesidePress = 3; // words stand lower than the button beside them
constexpr float kLeastCell = 7;   // smaller cells have a larger frame

const Latest<CheckedMask>* checkIn(const ViewContext& context) {
  if (!context.scene.mask.check.shown || showsDifference(context.scene))
    return nullptr;
  return &context.results.part<MaskFindings>().check;
}

// The frame of a cell of the matrix, in points.
Rect frameOfCell(const Ui& ui, const MaskFrame& frame, const IndexPair& cell) {
  const auto along = [&](float from, float to) {
    const float length = std::max(to - from, ui.px(kLeastCell));
    const float begin = std::round((from + to - length) / 2);
    return std::pair(begin, begin + std::round(length));
  };
  const auto query = static_cast<double>(cell.first);
  const auto key = static_cast<double>(cell.second);
  const auto [x0, x1] = along(frame.x(key), frame.x(key + 1));
  const auto [y0, y1] = along(frame.y(query), frame.y(query + 1));
  return {x0, y0, x1, y1};
}

// The name of a framed cell, beside it on the side that has room.
void nameCell(const Ui& ui, const Rect& area, const Rect& cell, const std::string& name) {
  const ImVec2 size = textSize(ui.fonts.small, name);
  const float pad = ui.px(5);
  const float rim = ui.px(2); // of the ground, above and below
  const float width = size.x + 2 * pad;
  const float gap = ui.px(5);
  const float right = cell.x1 + gap;
  const float x = right + width <= area.x1 ? right : std::max(area.x0, cell.x0 - gap - width);
  const float y = std::clamp(cell.centerY() - size.y / 2, area.y0 + rim, area.y1 - size.y - rim);
  const ImVec2 at(std::round(x + pad), std::round(y));
  const Rect ground{at.x - pad, at.y - rim, at.x + size.x + pad, at.y + size.y + rim};
  fill(ground, color(ui.colors().card, 0.95F), ui.px(3));
  drawText(ui.fonts.small, at, ui.colors().warning, name);
  recordText(ui, name, at, ImVec2(at.x + size.x, at.y + size.y));
}

} // namespace

float drawCheckAnswer(const ViewContext& context) {
  const Latest<CheckedMask>* check = checkIn(context);
  const Rect& area = context.area;
  if (!check)
    return area.y0;
  const Ui& ui = context.ui;
  const std::optional<ImVec2> corner = drawPressRoom(context);
  const float left = area.x0 + ui.px(kBesideAnswer) + (corner ? corner->x : 0);
  const ImVec2 from(left, area.y0 + ui.px(kAboveAnswer));
  const Lines lines({from.x, from.y + (corner ? ui.px(kBesidePress) : 0),
                     area.x1 - ui.px(kBesideAnswer), area.y1});
  if (check->problem)
    note(ui, *check->problem);
  else if (!*check || check->stale)
    caption(ui, "checking the mask …");
  else
    note(ui, NoteKind::Info, answerOf(**check));
  const float bottom = ImGui::GetItemRectMax().y;
  return std::round(corner ? std::max(bottom, from.y + ImGui::GetFrameHeight()) : bottom);
}

void drawFirstFuture(const ViewContext& context, const MaskFrame& frame, const Lengths& lengths) {
  const Latest<CheckedMask>* check = checkIn(context);
  if (!check || !*check || check->stale || check->problem)
    return;
  const auto& first = (*check)->check.report.firstFuture;
  if (!first)
    return;
  const Ui& ui = context.ui;
  const Rect cell = frameOfCell(ui, frame, *first);
  const Rect outline = maskOutline(frame, lengths);
  const bool seen = cell.centerX() >= outline.x0 && cell.centerX() <= outline.x1 &&
                    cell.centerY() >= outline.y0 && cell.centerY() <= outline.y1;
  if (!seen) // the camera looks elsewhere
    return;
  box(cell, color(ui.colors().view), 3); // apart from cells of any hue
  box(cell, color(ui.colors().warning), 2);
  nameCell(ui, outline, cell, "first key in the future: " + cellText(*first));
}

} // namespace attention::gui
