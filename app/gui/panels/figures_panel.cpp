#include "app/gui/panels/layout.h"
#include "app/gui/panels/sidebar.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <vector>

namespace attention::gui {
namespace {

constexpr std::size_t kMostPictures = 5; // of a figure's panels, in a row

std::vector<Pattern> patternsOf(const Scene& scene) {
  std::vector<Pattern> patterns;
  for (const Panel& panel : scene.mask.panels)
    if (patterns.size() < kMostPictures)
      patterns.push_back(panel.pattern);
  if (patterns.empty())
    patterns.push_back(scene.pattern);
  return patterns;
}

// Pictures of the figure's panels in one tile, its name and source below.
void figureEntry(const PanelContext& c, const ShownFigure& figure) {
  const Ui& ui = c.ui;
  const bool shown = figure.scene.title == c.scene.title && !c.scene.title.empty();
  const std::vector<Pattern> patterns = patternsOf(figure.scene);
  const float side = std::min(ui.px(84), availableWidth() / static_cast<float>(patterns.size()));
  const std::string tip = figure.scene.caption.empty() ? figure.scene.source : figure.scene.caption;
  const ImVec2 size(side * static_cast<float>(patterns.size()), side);
  const Tile picture = tile(ui, figure.title, size, shown, {tip});
  const Index n = figure.scene.length.n.value_or(kDefaultLength);
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const float x = picture.area.x0 + side * static_cast<float>(k);
    c.thumbnails.draw(ui, "figure " + figure.name + " " + std::to_string(k), patterns[k],
                      Lengths{n, n, 0}, {x, picture.area.y0, x + side, picture.area.y1},
                      shown ? ui.colors().accent : ui.colors().dim);
  }
  words(ui, figure.title);
  caption(ui, figure.scene.source);
  space(ui, 4);
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
      wrappedHeading(c.ui, figure.paper);
    paper = figure.paper;
    ImGui::PushID(figure.name.c_str());
    figureEntry(c, figure);
    ImGui::PopID();
  }
}

} // namespace attention::gui
