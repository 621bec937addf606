#include "app/gui/widgets/ui.h"

#include "app/gui/platform/text_images.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <optional>

namespace attention::gui {

DisabledWhile::DisabledWhile(bool disabled) {
  ImGui::BeginDisabled(disabled);
}
DisabledWhile::~DisabledWhile() {
  ImGui::EndDisabled();
}

namespace {

constexpr float kTipWidth = 360; // points at scale 1 of a line of a tooltip, at most
constexpr float kTipMarginX = 10;
constexpr float kTipMarginY = 7;

// Where a tooltip of that size stands; nothing over pictures, where it follows the pointer.
std::optional<Rect> tipRect(const Ui& ui, TipPlace place, ImVec2 size) {
  constexpr float kHighestControl = 44; // points at scale 1
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  if (to.y - from.y > ui.px(kHighestControl))
    return std::nullopt;
  const float gap = ui.px(6);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImVec2 at(from.x, to.y + gap);
  if (at.y + size.y > screen.y)
    at.y = from.y - gap - size.y;
  const float left = ImGui::GetWindowPos().x;
  const float right = left + ImGui::GetWindowWidth();
  if (place == TipPlace::Beside && right + gap + size.x <= screen.x)
    at = ImVec2(right + gap, from.y);
  else if (place == TipPlace::Beside && left - gap - size.x >= 0)
    at = ImVec2(left - gap - size.x, from.y);
  at.x = std::max(std::min(at.x, screen.x - size.x - ui.px(4)), 0.0F);
  at.y = std::max(std::min(at.y, screen.y - size.y), 0.0F);
  return Rect{at.x, at.y, at.x + size.x, at.y + size.y};
}

} // namespace

void tooltip(const Ui& ui, std::string_view words, TipPlace place) {
  if (words.empty())
    return;
  ui.log.explain(words);
  constexpr float kDelay = 0.5F; // seconds
  const char* begin = words.data();
  const char* end = begin + words.size();
  float* rested = ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(begin, end), 0);
  const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) &&
                       !ImGui::IsMouseDown(ImGuiMouseButton_Left);
  *rested = hovered ? *rested + std::min(ImGui::GetIO().DeltaTime, 0.1F) : 0;
  if (*rested < kDelay)
    return;
  const ImVec2 margin(ui.px(kTipMarginX), ui.px(kTipMarginY));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, margin);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(6)); // tooltips are windows before 1.90
  const UseFont font(ui.fonts.text);                           // whatever the item is written in
  const bool shaped = needsShaping(ui.fonts.text, words);
  const std::string lines = shaped ? inLines(ui.fonts.text, words, ui.px(kTipWidth)) : "";
  const ImVec2 inner = shaped ? textSize(ui.fonts.text, lines)
                              : ImGui::CalcTextSize(begin, end, false, ui.px(kTipWidth));
  const ImVec2 size(inner.x + 2 * margin.x, inner.y + 2 * margin.y);
  if (const auto at = tipRect(ui, place, size)) {
    ImGui::SetNextWindowPos(ImVec2(at->x0, at->y0));
    ui.log.showTip(*at);
  }
  ImGui::BeginTooltip();
  if (shaped) {
    drawText(ui.fonts.text, ImGui::GetCursorScreenPos(), ui.colors().text, lines);
    ImGui::Dummy(inner);
  } else {
    ImGui::PushTextWrapPos(margin.x + ui.px(kTipWidth)); // from the window's edge
    ImGui::TextUnformatted(begin, end);
    ImGui::PopTextWrapPos();
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar(2);
}

void recordItem(const Ui& ui, WidgetKind kind, std::string_view label, bool checked,
                std::string value) {
  recordPressed(ui, kind, label, false, checked, std::move(value));
}

Rect clipped(ImVec2 from, ImVec2 to, Widget& widget) {
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin();
  const ImVec2 high = ImGui::GetWindowDrawList()->GetClipRectMax();
  const Rect inside{std::max(from.x, low.x), std::max(from.y, low.y), std::min(to.x, high.x),
                    std::min(to.y, high.y)};
  widget.sight = {low.x, low.y, high.x, high.y};
  widget.visible = inside.x0 < inside.x1 && inside.y0 < inside.y1;
  return widget.visible ? inside : Rect{from.x, from.y, to.x, to.y};
}

void takeKeyboard(const Ui& ui, Widget& widget, bool slider) {
  widget.id = lastItem();
  widget.focused = ImGui::IsItemFocused() && focusVisible();
  if (!ui.log.takeFocus(widget.id))
    return;
  focusLastItem(slider);
  if (!wholeInSight(widget))
    ImGui::SetScrollHereY(0.5F);
}

void recordPressed(const Ui& ui, WidgetKind kind, std::string_view label, bool pressed,
                   bool checked, std::string value) {
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  Widget widget;
  widget.kind = kind;
  widget.label = shownLabel(label);
  widget.rect = {from.x, from.y, to.x, to.y};
  widget.grip = clipped(from, to, widget);
  widget.enabled = !itemDisabled();
  widget.checked = checked;
  widget.value = std::move(value);
  takeKeyboard(ui, widget);
  if (pressed || ImGui::IsItemActivated())
    ui.log.markUsed(ui.log.scope(), widget.label);
  if (ui.log.takeShow(widget))
    ImGui::SetScrollHereY(0.5F);
  ui.log.record(std::move(widget));
}

void recordText(const Ui& ui, std::string_view label, ImVec2 from, ImVec2 to,
                std::string_view value) {
  Widget widget;
  widget.label = label;
  widget.value = value;
  widget.rect = {from.x, from.y, to.x, to.y};
  widget.grip = clipped(from, to, widget);
  ui.log.record(std::move(widget));
}

} // namespace attention::gui
