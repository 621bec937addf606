#include "app/gui/platform/arrow_keys.h"

#include "app/gui/platform/imgui_compat.h"

#include <imgui_internal.h>

namespace attention::gui {

void keepArrowsForItem() {
  if (ImGui::IsItemFocused())
    ImGui::NavMoveRequestCancel();
}

} // namespace attention::gui
