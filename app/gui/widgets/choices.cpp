#include "app/gui/widgets/choices.h"

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

float widestSegment(const Ui& ui, std::span<const ChoiceItem> items) {
  float widest = 0;
  for (const ChoiceItem& item : items)
    widest = std::max(widest, textSize(ui.fonts.text, shownLabel(item.label)).x);
  return widest + ui.px(8);
}

struct Segments {
  int columns;
  float width;
};

// As many columns as requested, if they fit; segments of equal width fill the row.
Segments segmentsFor(const Ui& ui, std::span<const ChoiceItem> items, int columns, float gap) {
  const float room = availableWidth();
  const float widest = widestSegment(ui, items);
  const int fitting = std::max(1, static_cast<int>((room + gap) / (widest + gap)));
  const int wanted = columns > 0 ? columns : static_cast<int>(items.size());
  const int used = std::clamp(std::min(wanted, fitting), 1, std::max(1, wanted));
  return {used, std::floor((room - gap * static_cast<float>(used - 1)) / static_cast<float>(used))};
}

bool segment(const Ui& ui, const ChoiceItem& item, bool chosen, float width) {
  bool on = chosen;
  Control control{item.tooltip, item.enabled, width};
  return toggle(ui, item.label, on, control);
}

} // namespace

bool checkbox(const Ui& ui, std::string_view label, bool& on, const Control& control) {
  const DisabledWhile off(!control.enabled);
  StyleColors style;
  if (on)
    style.set(ImGuiCol_FrameBg, ui.colors().accent)
        .set(ImGuiCol_FrameBgHovered, ui.colors().accent)
        .set(ImGuiCol_FrameBgActive, ui.colors().accent)
        .set(ImGuiCol_CheckMark, ui.colors().onAccent);
  else
    style.set(ImGuiCol_Border, ui.colors().disabled);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
  const bool changed = ImGui::Checkbox(std::string(label).c_str(), &on);
  ImGui::PopStyleVar();
  recordPressed(ui, WidgetKind::Checkbox, label, changed, on, on ? "on" : "off");
  tooltip(ui, control.tooltip);
  return changed;
}

bool choice(const Ui& ui, std::string_view label, int& selected, std::span<const ChoiceItem> items,
            const ChoiceSpec& spec) {
  const DisabledWhile off(!spec.enabled);
  ImGui::PushID(label.data(), label.data() + label.size());
  const float gap = ui.px(4);
  const float name = nameWidth(ui, spec.labelWidth);
  const float beside = availableWidth() - name;
  const bool above = name > 0 && spec.columns == 0 && widestSegment(ui, items) > beside;
  if (above) {
    drawName(ui, label, availableWidth(), spec.enabled);
    ImGui::NewLine();
  } else {
    drawName(ui, label, name, spec.enabled);
  }
  if (name > 0)
    tooltip(ui, spec.tooltip);
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(3), ui.px(4)));
  const Segments layout = segmentsFor(ui, items, spec.columns, gap);
  const WidgetScope scope(ui.log, shownLabel(label));
  bool changed = false;
  const int before = selected;
  for (int i = 0; i < static_cast<int>(items.size()); ++i) {
    if (i % layout.columns != 0)
      ImGui::SameLine();
    ImGui::PushID(i);
    if (segment(ui, items[static_cast<std::size_t>(i)], i == before, layout.width) && i != before) {
      selected = i;
      changed = true;
    }
    ImGui::PopID();
  }
  ImGui::PopStyleVar(2);
  ImGui::EndGroup();
  ImGui::PopID();
  return changed;
}

bool combo(const Ui& ui, std::string_view label, int& selected, std::span<const ChoiceItem> items,
           const ChoiceSpec& spec) {
  const DisabledWhile off(!spec.enabled);
  drawName(ui, label, nameWidth(ui, spec.labelWidth), spec.enabled);
  const bool known = selected >= 0 && selected < static_cast<int>(items.size());
  const std::string shown =
      known ? std::string(shownLabel(items[static_cast<std::size_t>(selected)].label)) : "";
  ImGui::SetNextItemWidth(availableWidth());
  const Rect row{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y,
                 ImGui::GetCursorScreenPos().x + availableWidth(),
                 ImGui::GetCursorScreenPos().y + ImGui::GetFrameHeight()};
  const std::string id = "##" + std::string(label);
  const bool open = ImGui::BeginCombo(id.c_str(), shown.c_str(), ImGuiComboFlags_HeightLarge);
  if (!open) {
    recordPressed(ui, WidgetKind::Combo, label, false, false, shown);
    tooltip(ui, spec.tooltip);
    return false;
  }
  ui.log.markUsed(ui.log.scope(), shownLabel(label));
  Widget widget;
  widget.kind = WidgetKind::Combo;
  widget.label = shownLabel(label);
  widget.rect = row;
  widget.grip = row;
  widget.checked = true;
  widget.value = shown;
  ui.log.record(std::move(widget));
  const WidgetScope scope(ui.log, shownLabel(label));
  bool changed = false;
  const int before = selected;
  for (int i = 0; i < static_cast<int>(items.size()); ++i) {
    const ChoiceItem& item = items[static_cast<std::size_t>(i)];
    if (listItem(ui, item.label, i == before, {}, {item.tooltip, item.enabled, 0}) && i != before) {
      selected = i;
      changed = true;
    }
  }
  ImGui::EndCombo();
  return changed;
}

} // namespace attention::gui
