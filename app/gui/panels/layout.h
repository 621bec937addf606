// Placing controls in a row.
#pragma once

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>

namespace attention::gui {

// Room to the right of scrolling content, at scale 1, for its scroll bar, so that the bar's coming
// and going changes neither the width nor the height of the content.
constexpr float kScrollRoom = 22;

// Puts the next item in the same line, `width` points from the right edge.
inline void sameLineRight(float width) {
  ImGui::SameLine();
  const float room = availableWidth();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
}

// A cross at the right end of the words before it, at their height.
inline bool removeAtRight(const Ui& ui, const char* label, const Control& control) {
  sameLineRight(ui.px(22));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(4)); // its padding above the cross
  return iconButton(ui, label, "×", control);
}

// Puts the next item, `width` points wide, beside the last one, or below it where there is no room.
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
