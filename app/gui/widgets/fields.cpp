#include "app/gui/widgets/fields.h"

#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/drawing.h"

#include <imgui_stdlib.h>

namespace attention::gui {
namespace {

bool editText(const Ui& ui, const std::string& id, std::string& text, const FieldSpec& spec,
              float width) {
  forgetTyping(ImGui::GetID(id.c_str()));
  const ImGuiInputTextFlags flags = spec.readOnly ? ImGuiInputTextFlags_ReadOnly : 0;
  ImGui::SetNextItemWidth(width);
  StyleColors style;
  style.set(ImGuiCol_TextDisabled, ui.colors().dim);
  return ImGui::InputTextWithHint(id.c_str(), std::string(spec.hint).c_str(), &text, flags);
}

} // namespace

FieldEdit inputText(const Ui& ui, std::string_view label, std::string& text,
                    const FieldSpec& spec) {
  const DisabledWhile off(!spec.enabled);
  drawName(ui, label, nameWidth(ui, spec.labelWidth), spec.enabled);
  StyleColors style;
  if (spec.badValue)
    style.set(ImGuiCol_Border, ui.colors().bad);
  if (spec.focus)
    ImGui::SetKeyboardFocusHere();
  const UseFont font(spec.mono ? ui.fonts.mono : ui.fonts.text);
  const float width = spec.width > 0 ? spec.width : availableWidth();
  FieldEdit edit;
  edit.changed = editText(ui, "##" + std::string(label), text, spec, width);
  edit.typed = edit.changed;
  edit.active = ImGui::IsItemActive();
  edit.finished = ImGui::IsItemDeactivatedAfterEdit();
  edit.entered = ImGui::IsItemDeactivated() && chordPressed({Key::Enter});
  recordPressed(ui, WidgetKind::Field, label, edit.changed, false, text);
  tooltip(ui, spec.tooltip);
  return edit;
}

} // namespace attention::gui
