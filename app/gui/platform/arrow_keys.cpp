#include "app/gui/platform/arrow_keys.h"

#include "app/gui/platform/imgui_compat.h"

#include <imgui_internal.h>

namespace attention::gui {

void keepArrowsForItem() {
  if (ImGui::IsItemFocused())
    ImGui::NavMoveRequestCancel();
}

void keepArrows() {
  ImGui::NavMoveRequestCancel();
}

void keepSidewaysForView() {
  const ImGuiDir direction = GImGui->NavMoveDir;
  if (!ImGui::GetIO().NavVisible && (direction == ImGuiDir_Left || direction == ImGuiDir_Right))
    keepArrows();
}

} // namespace attention::gui
