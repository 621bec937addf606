#include "app/gui/panels/side_panels.h"

#include "app/gui/interface/window_view.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/layout.h"
#include "app/gui/widgets/words.h"

#include <utility>

namespace attention::gui {
namespace {

constexpr float kLeastRead =
    160; // least height of the reading part, at scale 1; with less, everything scrolls together
constexpr float kExportGap = 6; // between the reading part and the pinned export
constexpr float kPage = 0.8F;   // of the height, so that the last lines stay visible

// PageUp and PageDown, since nothing here can take the keyboard focus.
void scrollAsAsked(PanelMemory& memory) {
  const float pages = std::exchange(memory.pagesDown, 0.0F);
  if (pages != 0)
    ImGui::SetScrollY(ImGui::GetScrollY() + pages * kPage * ImGui::GetWindowHeight());
}

} // namespace

void drawInspector(const PanelContext& c) {
  const Ui& ui = c.ui;
  const float right = contentRight();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gaps = 2 * ImGui::GetStyle().ItemSpacing.y + ui.px(kExportGap);
  const float rest = std::floor(room.y - exportHeight(ui) - gaps);
  const bool pinned = rest > ui.px(kLeastRead);
  if (pinned) {
    // The scroll bar stands beside the content.
    beginChild("read", ImVec2(room.x + ui.px(kScrollRoom * 0.6F), rest), false);
    setContentRight(right);
  }
  drawSceneWords(c);
  windowView(c.scene.view).facts(c);
  scrollAsAsked(c.memory);
  if (pinned)
    ImGui::EndChild();
  space(ui, kExportGap);
  drawExport(c);
}

} // namespace attention::gui
