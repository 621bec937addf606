#include "app/gui/widgets/region.h"

#include <imgui_internal.h>

#include <cassert>

namespace attention::gui {

Region::Region(const Ui& ui, const char* name) : scope_(ui.log, name) {
  // With another name, ImGui would make a movable window with a title.
  assert(ImGui::FindWindowByName(name) && ImGui::FindWindowByName(name)->Active);
  ImGui::Begin(name);
}

} // namespace attention::gui
