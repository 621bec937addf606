#include "app/gui/widgets/buttons.h"

#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <cfloat>

namespace attention::gui {
namespace {

float buttonWidth(const Control& control) {
  return control.width < 0 ? availableWidth() : control.width;
}

// Draws and records a button whose colours the caller has set.
bool recordedButton(const Ui& ui, WidgetKind kind, const std::string& id, std::string_view label,
                    const Control& control, bool checked = false) {
  const DisabledWhile off(!control.enabled);
  const bool pressed = ImGui::Button(id.c_str(), ImVec2(buttonWidth(control), 0));
  recordPressed(ui, kind, label, pressed, checked);
  tooltip(ui, control.tooltip);
  return pressed;
}

void setSelected(StyleColors& style, const UiColors& c) {
  style.set(ImGuiCol_Button, c.selected)
      .set(ImGuiCol_ButtonHovered, c.selected)
      .set(ImGuiCol_ButtonActive, c.selected)
      .set(ImGuiCol_Text, c.selectedText);
}

void setFlat(StyleColors& style, const UiColors& c, const ImVec4& textColor) {
  const ImVec4 none(0, 0, 0, 0);
  style.set(ImGuiCol_Button, none)
      .set(ImGuiCol_ButtonHovered, c.cardHover)
      .set(ImGuiCol_ButtonActive, c.cardActive)
      .set(ImGuiCol_Border, none)
      .set(ImGuiCol_Text, textColor);
}

} // namespace

bool button(const Ui& ui, std::string_view label, const Control& control) {
  return recordedButton(ui, WidgetKind::Button, std::string(label), label, control);
}

bool iconButton(const Ui& ui, std::string_view label, std::string_view sign,
                const Control& control) {
  StyleColors style;
  setFlat(style, ui.colors(), ui.colors().dim);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(6), ui.px(4)));
  Control named = control;
  if (named.tooltip.empty())
    named.tooltip = shownLabel(label);
  const std::string id = std::string(sign) + "###" + std::string(label);
  const bool pressed = recordedButton(ui, WidgetKind::Button, id, label, named);
  ImGui::PopStyleVar();
  return pressed;
}

bool toggle(const Ui& ui, std::string_view label, bool& on, const Control& control) {
  StyleColors style;
  if (on)
    setSelected(style, ui.colors());
  const bool pressed =
      recordedButton(ui, WidgetKind::Toggle, std::string(label), label, control, on);
  if (pressed)
    on = !on;
  return pressed;
}

bool link(const Ui& ui, std::string_view label, const Control& control) {
  const ImVec4 none(0, 0, 0, 0);
  StyleColors style;
  style.set(ImGuiCol_Button, none)
      .set(ImGuiCol_ButtonHovered, none)
      .set(ImGuiCol_ButtonActive, none)
      .set(ImGuiCol_Border, none)
      .set(ImGuiCol_Text, ui.colors().accentText);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, ui.px(2)));
  const bool pressed = recordedButton(ui, WidgetKind::Link, std::string(label), label, control);
  ImGui::PopStyleVar();
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 to = ImGui::GetItemRectMax();
    const float y = to.y - ui.px(2);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(from.x, y), ImVec2(to.x, y),
                                        color(ui.colors().accentText));
  }
  return pressed;
}

bool tab(const Ui& ui, std::string_view label, bool selected, const Control& control,
         std::string_view words) {
  StyleColors style;
  setFlat(style, ui.colors(), ui.colors().dim);
  if (selected)
    setSelected(style, ui.colors());
  const UseFont font(selected ? ui.fonts.bold : ui.fonts.text);
  const std::string id =
      words.empty() ? std::string(label) : std::string(words) + "###" + std::string(label);
  return recordedButton(ui, WidgetKind::Tab, id, label, control, selected);
}

bool listItem(const Ui& ui, std::string_view label, bool selected, std::string_view detail,
              const Control& control) {
  const DisabledWhile off(!control.enabled);
  StyleColors style;
  if (selected)
    style.set(ImGuiCol_Text, ui.colors().selectedText);
  const float width = control.width > 0 ? control.width : 0;
  const float gap = ui.px(detail.empty() ? 0 : 18);
  const float room = (width > 0 ? width : availableWidth()) - gap;
  const std::string aside =
      detail.empty() ? std::string() : cutToWidth(ui.fonts.small, detail, room);
  const ImVec2 asideSize = textSize(ui.fonts.small, aside);
  // Both in a line, or one below the other where that is too short.
  const bool two =
      !aside.empty() && textSize(ui.fonts.text, shownLabel(label)).x + asideSize.x > room;
  const float below = two ? asideSize.y + ui.px(2) : 0;
  const std::string name =
      cutToWidth(ui.fonts.text, shownLabel(label), two ? room : room - asideSize.x);
  const bool pressed = ImGui::Selectable((name + "###" + std::string(label)).c_str(), selected, 0,
                                         ImVec2(width, two ? fontSize(ui.fonts.text) + below : 0));
  recordPressed(ui, WidgetKind::Item, label, pressed, selected, std::string(detail));
  if (!detail.empty()) {
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 to = ImGui::GetItemRectMax();
    const float middle = (from.y + to.y - asideSize.y) / 2;
    const ImVec2 at = two ? ImVec2(from.x + ui.px(6), to.y - below)
                          : ImVec2(to.x - asideSize.x - ui.px(6), middle);
    drawText(ui.fonts.small, at, ui.colors().dim, aside);
  }
  tooltip(ui, control.tooltip, TipPlace::Beside);
  return pressed;
}

Tile tile(const Ui& ui, std::string_view label, ImVec2 size, bool selected,
          const Control& control) {
  const DisabledWhile off(!control.enabled);
  Tile result;
  result.pressed = invisibleButton(std::string(label).c_str(), size);
  recordPressed(ui, WidgetKind::Button, label, result.pressed, selected);
  result.hovered = ImGui::IsItemHovered();
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  result.area = {from.x, from.y, to.x, to.y};
  const UiColors& c = ui.colors();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, color(result.hovered ? c.cardHover : c.card), ui.px(4));
  list.AddRect(from, to, color(selected ? c.accent : c.border), ui.px(4), 0,
               ui.px(selected ? 1.5F : 1));
  if (ImGui::IsItemFocused() && focusVisible())
    list.AddRect(ImVec2(from.x - ui.px(2), from.y - ui.px(2)),
                 ImVec2(to.x + ui.px(2), to.y + ui.px(2)), color(c.accent), ui.px(5), 0, ui.px(2));
  tooltip(ui, control.tooltip.empty() ? shownLabel(label) : control.tooltip);
  return result;
}

namespace {

constexpr float kLeastItem = 160; // for the words of an item, at scale 1

} // namespace

bool beginMenu(const Ui& ui, std::string_view label, bool enabled) {
  const std::string id(label);
  // While it is open, ImGui's last item is no longer the menu's name, so its place is taken before.
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 size = textSize(ui.fonts.text, shownLabel(label));
  const bool open = ImGui::BeginMenu(id.c_str(), enabled);
  if (!open) {
    recordItem(ui, WidgetKind::Menu, label);
    return false;
  }
  const Rect place{from.x, from.y, from.x + size.x, from.y + size.y};
  Widget widget;
  widget.kind = WidgetKind::Menu;
  widget.label = shownLabel(label);
  widget.rect = place;
  widget.grip = place;
  widget.checked = true;
  ui.log.markUsed(ui.log.scope(), widget.label);
  ui.log.record(std::move(widget));
  ui.log.pushScope(shownLabel(label));
  return true;
}

void endMenu(const Ui& ui) {
  ui.log.popScope();
  ImGui::EndMenu();
}

bool menuItem(const Ui& ui, std::string_view label, const MenuItemSpec& spec) {
  const float most = spec.width > 0 ? std::max(spec.width, ui.px(kLeastItem)) : FLT_MAX;
  const std::string words = cutToWidth(ui.fonts.text, label, most);
  const bool cut = words != label;
  const std::string id = cut ? words + "###" + std::string(label) : std::string(label);
  const std::string chord(spec.chord);
  const bool pressed = ImGui::MenuItem(id.c_str(), chord.empty() ? nullptr : chord.c_str(),
                                       spec.checked, spec.enabled);
  recordPressed(ui, WidgetKind::MenuItem, label, pressed, spec.checked, chord);
  if (cut)
    tooltip(ui, std::string(label) + "\n" + std::string(spec.tooltip), TipPlace::Beside);
  else
    tooltip(ui, spec.tooltip, TipPlace::Beside);
  return pressed;
}

} // namespace attention::gui
