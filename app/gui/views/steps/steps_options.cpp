#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/steps/steps_results.h"
#include "app/gui/views/steps/steps_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

void drawStepsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Steps");
  const SettingControls settings(
      c, [](auto& s) -> auto& { return s.attention.steps; }, stepsSettings());
  sectionHeading(c.ui, "Steps");
  settings.draw({"by"});
  const Index n = std::max(c.results.lengths.queries, c.results.lengths.keys);
  if (n <= kMostMatrixTokens || c.scene.attention.steps.whole)
    settings.draw({"whole"});
  settings.draw({"key_tile", "m", "seed", "normalized"});
  const auto& shown = c.results.part<StepsResults>().shown;
  settings.drawAs("step", [&](ParameterFacts& facts) {
    if (shown && shown->count > 0)
      facts.handy = static_cast<double>(shown->count);
  });
}

} // namespace attention::gui
