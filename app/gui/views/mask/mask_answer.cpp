#include "app/gui/views/mask/mask_answer.h"

#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/mask/draw_strip.h"
#include "app/gui/views/mask/mask_findings.h"
#include "app/gui/widgets/words.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr float kBesideAnswer = 14; // at scale 1, as all lengths here
constexpr float kAboveAnswer = 8;
constexpr float kBesidePress = 3; // words stand lower than the button beside them

const Latest<CheckedMask>* checkIn(const ViewContext& context) {
  if (!context.scene.mask.check.shown || showsDifference(context.scene))
    return nullptr;
  return &context.results.part<MaskFindings>().check;
}

} // namespace

float drawCheckAnswer(const ViewContext& context) {
  const Latest<CheckedMask>* check = checkIn(context);
  const Rect& area = context.area;
  if (!check)
    return area.y0;
  const Ui& ui = context.ui;
  const bool corner = !context.presented && canDraw(context.scene) && !context.draw.on;
  const float left = area.x0 + ui.px(kBesideAnswer) + (corner ? drawPressRoom(ui) : 0);
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

} // namespace attention::gui
