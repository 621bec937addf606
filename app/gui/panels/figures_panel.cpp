#include "app/gui/panels/layout.h"
#include "app/gui/panels/sidebar.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {
namespace {

const Pattern& firstPattern(const Scene& scene) {
  return scene.mask.panels.empty() ? scene.pattern : scene.mask.panels.front().pattern;
}

void figureRow(const PanelContext& c, const ShownFigure& figure) {
  const Ui& ui = c.ui;
  const float side = ui.px(44);
  const bool shown = figure.scene.title == c.scene.title && !c.scene.title.empty();
  ImGui::BeginGroup();
  const std::string tip = figure.scene.caption.empty() ? figure.scene.source : figure.scene.caption;
  const Tile picture = tile(ui, figure.title, ImVec2(side, side), shown, {tip});
  const Index n = figure.scene.length.n.value_or(kDefaultLength);
  c.thumbnails.draw(ui, "figure " + figure.name, firstPattern(figure.scene), Lengths{n, n, 0},
                    picture.area, shown ? ui.colors().accent : ui.colors().dim);
  ImGui::SameLine(0, ui.px(10));
  ImGui::BeginGroup();
  words(ui, figure.title);
  caption(ui, figure.scene.source);
  ImGui::EndGroup();
  ImGui::EndGroup();
  if (picture.pressed)
    c.actions.edit(figure.title, [scene = figure.scene](Scene& s) { s = scene; });
}

} // namespace

void drawFigures(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Figures");
  if (c.figures.empty())
    caption(c.ui, "no figures were found beside the program");
  std::string paper;
  for (const ShownFigure& figure : c.figures) {
    if (figure.paper != paper)
      sectionHeading(c.ui, figure.paper);
    paper = figure.paper;
    ImGui::PushID(figure.name.c_str());
    figureRow(c, figure);
    ImGui::PopID();
  }
}

} // namespace attention::gui
