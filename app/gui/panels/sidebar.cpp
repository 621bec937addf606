#include "app/gui/panels/sidebar.h"

#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/scene/shown_patterns.h"

namespace attention::gui {
namespace {

// Of a comparison or of layers they are those of the pattern that is chosen below.
std::string parametersHeading(const Scene& scene) {
  if (const auto layer = editedLayer(scene))
    return "Parameters of layer " + std::to_string(*layer + 1);
  if (scene.view != View::Compare)
    return "Parameters";
  return std::string("Parameters of (") + static_cast<char>('a' + chosenPlace(scene.compare)) + ")";
}

// Views that read no pattern have only figures, and their tab folds the list.
void drawTabs(const PanelContext& c, bool patterns, bool pattern) {
  const float width = pattern ? shareOfRow(2) : availableWidth();
  if (pattern) {
    if (tab(c.ui, "Patterns", patterns, {"The pattern, recent ones, and all of them", true, width}))
      c.actions.run("view.patterns");
    ImGui::SameLine();
  }
  const bool folds = !pattern && !patterns;
  const char* tip = folds ? "Fold the published figures" : "Published figures, by paper";
  if (tab(c.ui, "Figures", !patterns, {tip, true, width}))
    c.actions.run(folds ? "view.patterns" : "view.figures");
}

} // namespace

void drawSidebar(const PanelContext& c) {
  const bool patterns = c.habits.tab == SidebarTab::Patterns;
  const ViewPanels& panels = panelsOf(c.scene.view);
  const bool pattern = readsPattern(c.scene);
  drawTabs(c, patterns, pattern);
  const bool strip = patterns && pattern;
  if (strip || !patterns)
    space(c.ui, 2);
  if (strip)
    drawPatternStrip(c);
  else if (!patterns)
    drawFigures(c);
  if (pattern) {
    space(c.ui, 4);
    const WidgetScope scope(c.ui.log, "Parameters");
    sectionHeading(c.ui, parametersHeading(c.scene));
    drawLengths(c);
    drawParameters(c);
  }
  if (panels.optionsFirst) {
    space(c.ui, 6);
    panels.options(c);
  }
  if (takesInput(c.scene)) {
    separator(c.ui);
    drawInput(c);
    drawModelHead(c);
  }
  if (panels.optionsFirst)
    return;
  space(c.ui, 4);
  panels.options(c);
}

} // namespace attention::gui
