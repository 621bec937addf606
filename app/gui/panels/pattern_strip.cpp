#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/pattern_title.h"
#include "core/views/shown_patterns.h"

namespace attention::gui {
namespace {

// The picture drawn last can be dragged onto a layer.
void dragPattern(const Ui& ui, int place, const std::string& title) {
  if (!ImGui::BeginDragDropSource())
    return;
  ImGui::SetDragDropPayload(kDraggedPattern, &place, sizeof place);
  words(ui, title);
  ImGui::EndDragDropSource();
}

} // namespace

void drawPatternStrip(const PanelContext& c) {
  const Ui& ui = c.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(4), ui.px(4)));
  const WidgetScope scope(ui.log, "recent");
  const float side = shareOfRow(static_cast<int>(kStripTiles));
  const std::vector<Pattern>& patterns = c.offers.strip;
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const Description& d = description(patterns[k]);
    if (k > 0)
      ImGui::SameLine();
    const std::string tip = d.title + ": " + d.summary;
    const bool present = d.name == description(editedPattern(c.scene)).name;
    const Tile shown = tile(ui, d.title, ImVec2(side, side), present, {tip});
    dragPattern(ui, static_cast<int>(k), d.title);
    c.thumbnails.draw(ui, "strip " + d.name, patterns[k], c.offers.lengths, shown.area,
                      present ? ui.colors().accent : ui.colors().dim);
    if (shown.pressed && !present)
      choosePattern(c.actions, patterns[k]);
  }
  ImGui::PopStyleVar();
  const std::string title = mechanismTitle(editedPattern(c.scene));
  {
    const UseFont bold(ui.fonts.bold);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(2)); // like the link beside it
    ImGui::TextUnformatted(title.c_str());
    recordText(ui, title, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }
  const std::string all = "all " + std::to_string(allMechanisms().size()) + " patterns ▾";
  const float width = textSize(ui.fonts.text, all).x;
  if (textSize(ui.fonts.bold, title).x + ui.px(12) + width <= availableWidth()) { // else below it
    sameLineRight(width);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(2));
  }
  if (link(ui, all, {"Every pattern, in groups, with live pictures (G)"}))
    c.actions.run("view.gallery");
}

} // namespace attention::gui
