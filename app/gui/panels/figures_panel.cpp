#include "app/gui/overlays/search.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/words.h"
#include "core/views/scene_words.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace attention::gui {
namespace {

// At scale 1.
constexpr float kLow = 84;        // a picture of one row of panels
constexpr float kHigh = 132;      // of panels above one another
constexpr float kLeastList = 260; // the list scrolls by itself, above the parameters
constexpr float kShareOfList = 0.6F;

// Whether the figure has pictures above one another: images over matrices, rows of panels, layers
// over curves.
bool isHigh(const Scene& scene) {
  const ViewUnit& unit = unitOf(scene.view);
  return !unit.masks || unit.showsDifference || scene.mask.image.shown ||
         scene.mask.panels.size() > 5;
}

float heightOf(const Ui& ui, const Scene& scene) {
  return ui.px(isHigh(scene) ? kHigh : kLow);
}

std::string tipOf(const ShownFigure& figure) {
  return figure.scene.caption + "\n\nSource: " + figure.scene.source + "\n\nattnx figure " +
         figure.name;
}

bool isShown(const PanelContext& c, const ShownFigure& figure) {
  const std::string said = writtenTitle(c.scene);
  return figure.scene.title == said && !said.empty();
}

bool showsFigure(const PanelContext& c) {
  return std::any_of(c.figures.begin(), c.figures.end(),
                     [&](const ShownFigure& figure) { return isShown(c, figure); });
}

// Files of the figure that is shown, below the list.
void exportButtons(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Figure");
  const float width = shareOfRow(5);
  for (const auto& [label, action] :
       {std::pair("PNG", "export.png"), std::pair("SVG", "export.svg"),
        std::pair("HTML", "export.html"), std::pair("PDF", "export.pdf"),
        std::pair("TikZ", "export.tex")}) {
    if (std::string_view(label) != "PNG")
      ImGui::SameLine();
    if (button(c.ui, label,
               {"Write this figure with its caption to a file", canExport(c.results.shown), width}))
      c.actions.run(action);
  }
}

// A figure that was chosen elsewhere, from the menu or by name, is scrolled into sight once; from
// then on the list stays where the user scrolls it.
void bringIntoSight(const PanelContext& c, const ShownFigure& figure, const Rect& picture) {
  if (std::exchange(c.memory.figureSeen, figure.title) == figure.title)
    return;
  const float top = ImGui::GetWindowPos().y;
  if (picture.y0 < top || picture.y1 > top + ImGui::GetWindowHeight())
    ImGui::SetScrollFromPosY(0.5F * (picture.y0 + picture.y1) - top);
}

// The figure's picture with its title below; a press shows it. Nothing appears or disappears
// between the pictures, so that the next one stays under the pointer.
void figureEntry(const PanelContext& c, const ShownFigure& figure) {
  const Ui& ui = c.ui;
  const bool shown = isShown(c, figure);
  const Tile picture = tile(ui, figure.title, ImVec2(availableWidth(), heightOf(ui, figure.scene)),
                            shown, {tipOf(figure)});
  if (shown)
    bringIntoSight(c, figure, picture.area);
  const float inset = ui.px(3);
  const Rect inside{picture.area.x0 + inset, picture.area.y0 + inset, picture.area.x1 - inset,
                    picture.area.y1 - inset};
  c.figureThumbnails.draw(ui, figure, inside);
  words(ui, figure.title);
  space(ui, 8);
  if (picture.pressed)
    c.actions.edit(figure.title, [scene = figure.scene](Scene& s) { s = scene; });
}

// The matches: first the papers with exactly these words.
std::vector<const ShownFigure*> foundFigures(const PanelContext& c) {
  const std::string& search = c.memory.figureSearch;
  std::vector<const ShownFigure*> all;
  for (const ShownFigure& figure : c.figures)
    if (found(search,
              figure.paper + " " + figure.title + " " + figure.name + " " + figure.scene.source))
      all.push_back(&figure);
  std::stable_partition(all.begin(), all.end(), [&](const ShownFigure* figure) {
    return foundTogether(search, figure->paper);
  });
  return all;
}

void figureList(const PanelContext& c) {
  std::string paper;
  const std::vector<const ShownFigure*> shown = foundFigures(c);
  for (const ShownFigure* figure : shown) {
    if (figure->paper != paper)
      wrappedHeading(c.ui, figure->paper);
    paper = figure->paper;
    ImGui::PushID(figure->name.c_str());
    figureEntry(c, *figure);
    ImGui::PopID();
  }
  if (shown.empty())
    caption(c.ui, c.figures.empty() ? "No figures were found next to the program" : "No match");
}

} // namespace

void drawFigures(const PanelContext& c) {
  const Ui& ui = c.ui;
  const WidgetScope scope(ui.log, "Figures");
  FieldSpec field;
  field.hint = "search papers and figures";
  field.labelWidth = 0;
  field.tooltip = "Type a part of a title, a name, an author or an arXiv number";
  inputText(ui, "search", c.memory.figureSearch, field);
  const float right = contentRight();
  const float height = std::max(ui.px(kLeastList), kShareOfList * ImGui::GetWindowHeight());
  // The scroll bar stands beside the content.
  beginChild("figures",
             ImVec2(ImGui::GetContentRegionAvail().x + ui.px(kScrollRoom * 0.6F), height), false);
  setContentRight(right);
  figureList(c);
  ImGui::EndChild();
  if (showsFigure(c))
    exportButtons(c);
  else
    ImGui::Dummy(ImVec2(1, ImGui::GetFrameHeight())); // the row is there for the next figure
}

} // namespace attention::gui
