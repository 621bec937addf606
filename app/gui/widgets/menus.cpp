#include "app/gui/widgets/menus.h"

#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <cfloat>

namespace attention::gui {
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
