#include "app/gui/platform/arrow_keys.h"

#include "app/gui/platform/imgui_compat.h"

#include <imgui_internal.h>

namespace attention::gui {

void keepArrowsForItem() {
  if (ImGui::IsItemFocused())
    ImGui::NavMoveRequestCancel();
}

void keepSideways() {
  const ImGuiDir direction = GImGui->NavMoveDir;
  if (direction == ImGuiDir_Left || direction == ImGuiDir_Right)
    ImGui::NavMoveRequestCancel();
}

void keepSidewaysForView() {
  if (!ImGui::GetIO().NavVisible)
    keepSideways();
}

} // namespace attention::gui
