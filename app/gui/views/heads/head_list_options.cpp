#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/attention/weights_view.h"
#include "app/gui/views/heads/head_list_view.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

void drawHeadListOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Heads");
  sectionHeading(c.ui, "What heads attend to");
  const SettingControls settings(
      c, [](auto& s) -> auto& { return s.attention.list; }, headListSettings());
  settings.draw({"order", "rising", "layer", "least", "near"});
  SettingControls(c, &Scene::attention, attentionSettings()).draw({"base"});
}

} // namespace attention::gui
