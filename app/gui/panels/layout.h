// Placing controls in a row.
#pragma once

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>

namespace attention::gui {

// At the right of what scrolls, at scale 1: its scroll bar lies in it, so that the bar's coming and
// going does not change the width of what it scrolls, and with that its height.
constexpr float kScrollRoom = 22;

// The next item stands in the same line, `width` points from the right edge.
inline void sameLineRight(float width) {
  ImGui::SameLine();
  const float room = availableWidth();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
}

// A cross at the right end of the words before it, at their height.
inline bool removeAtRight(const Ui& ui, const char* label, const Control& control) {
  sameLineRight(ui.px(22));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(4)); // what it has above its sign
  return iconButton(ui, label, "×", control);
}

// The next item, `width` points wide, stands beside the last one, or below where it has no room.
inline void sameLineIfRoom(float gap, float width) {
  ImGui::SameLine(0, gap);
  if (ImGui::GetCursorScreenPos().x + width > contentRight())
    ImGui::NewLine();
}

// Width of each of `count` controls that share the row.
inline float shareOfRow(int count) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  return (availableWidth() - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
}

} // namespace attention::gui
