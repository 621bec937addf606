#include "app/gui/panels/choose_pattern.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/sidebar.h"
#include "app/gui/widgets/buttons.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr std::size_t kTiles = 6; // the current pattern and five others

// The current pattern first, then recent ones, then others in their order: no mechanism twice.
std::vector<Pattern> stripPatterns(const PanelContext& c) {
  std::vector<Pattern> patterns{c.scene.pattern};
  const auto add = [&](const Pattern& p) {
    const auto same = [&](const Pattern& q) { return q.mechanism.index() == p.mechanism.index(); };
    if (patterns.size() < kTiles && std::none_of(patterns.begin(), patterns.end(), same))
      patterns.push_back(p);
  };
  for (const Pattern& p : c.habits.recentPatterns)
    add(p);
  for (const char* name : {"causal", "strided", "fixed", "local", "longformer", "bigbird"})
    for (const Pattern& p : allMechanisms())
      if (description(p).name == name)
        add(begun(p, c.scene.pattern, chosenLengths(c).keys));
  return patterns;
}

} // namespace

void drawPatternStrip(const PanelContext& c) {
  const Ui& ui = c.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(4), ui.px(4)));
  const WidgetScope scope(ui.log, "recent");
  const float side = shareOfRow(static_cast<int>(kTiles));
  const std::vector<Pattern> patterns = stripPatterns(c);
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const Description& d = description(patterns[k]);
    if (k > 0)
      ImGui::SameLine();
    const std::string tip = d.title + ": " + d.summary;
    const Tile shown = tile(ui, d.title, ImVec2(side, side), k == 0, {tip});
    c.thumbnails.draw(ui, "strip " + d.name, patterns[k], chosenLengths(c), shown.area,
                      k == 0 ? ui.colors().accent : ui.colors().dim);
    if (shown.pressed && k > 0)
      choosePattern(c.actions, patterns[k]);
  }
  ImGui::PopStyleVar();
  {
    const UseFont bold(ui.fonts.bold);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(2)); // as the link beside it
    ImGui::TextUnformatted(description(c.scene.pattern).title.c_str());
    recordText(ui, description(c.scene.pattern).title, ImGui::GetItemRectMin(),
               ImGui::GetItemRectMax());
  }
  const std::string all = "all " + std::to_string(allMechanisms().size()) + " patterns ▾";
  sameLineRight(textSize(ui.fonts.text, all).x);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(2));
  if (link(ui, all, {"Every pattern, in groups, with live pictures (G)"}))
    c.actions.run("view.gallery");
}

} // namespace attention::gui
