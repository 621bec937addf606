#include "app/gui/panels/side_panels.h"

#include "app/gui/interface/window_view.h"
#include "app/gui/panels/layout.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/views/shown_patterns.h"

namespace attention::gui {
namespace {

// Views that read no pattern show only figures, and their tab folds the list.
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
  const bool pattern = choosesPattern(c.scene);
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
    const std::string edited = editedName(c.scene);
    sectionHeading(c.ui, edited.empty() ? "Parameters" : "Parameters of " + edited);
    if (takesInput(c.scene)) // else it has a length of its own
      drawLengths(c);
    drawParameters(c);
  }
  space(c.ui, 6);
  windowView(c.scene.view).options(c);
  if (!takesInput(c.scene))
    return;
  separator(c.ui);
  drawInput(c);
  drawModelHead(c);
}

} // namespace attention::gui
