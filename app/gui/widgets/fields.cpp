#include "app/gui/widgets/fields.h"

#include "app/gui/platform/imgui_input.h"
#include "app/gui/platform/text_images.h"
#include "app/gui/widgets/drawing.h"
#include "core/support/direction.h"

#include <imgui_stdlib.h>

namespace attention::gui {
namespace {

// In the last item, which is a field, the beginning of the text, as far as it is wide.
void drawAtRest(ImFont* font, const ImVec4& tint, const std::string& text, bool shaped) {
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  const ImVec2 margin = ImGui::GetStyle().FramePadding;
  const std::string shown = cutToWidth(font, text, to.x - from.x - 2 * margin.x);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(from, ImVec2(to.x - margin.x, to.y), true);
  drawText(font, ImVec2(from.x + margin.x, from.y + margin.y), tint,
           shaped ? fromLeft(shown) : shown);
  list.PopClipRect();
}

bool editText(const Ui& ui, const std::string& id, std::string& text, const FieldSpec& spec,
              float width) {
  forgetTyping(ImGui::GetID(id.c_str()));
  const ImGuiInputTextFlags flags = spec.readOnly ? ImGuiInputTextFlags_ReadOnly : 0;
  ImGui::SetNextItemWidth(width);
  StyleColors style;
  style.set(ImGuiCol_TextDisabled, ui.colors().dim);
  // ImGui draws glyph by glyph from its fonts, up to the frame: what needs more, and what is longer
  // than the field, is drawn over a field at rest.
  ImFont* const font = spec.mono ? ui.fonts.mono : ui.fonts.text;
  const float room = width - 2 * ImGui::GetStyle().FramePadding.x;
  const bool shaped = needsShaping(font, text);
  const bool drawn =
      !isActive(ImGui::GetID(id.c_str())) && (shaped || textSize(font, text).x > room);
  if (drawn)
    style.set(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
  const bool changed =
      ImGui::InputTextWithHint(id.c_str(), std::string(spec.hint).c_str(), &text, flags);
  if (drawn)
    drawAtRest(font, spec.enabled ? ui.colors().text : ui.colors().disabled, text, shaped);
  return changed;
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
