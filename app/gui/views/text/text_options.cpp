#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/text/text_view.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

void drawTextOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Text");
  sectionHeading(c.ui, "Text");
  SettingControls(
      c, [](auto& s) -> auto& { return s.attention.text; }, textSettings())
      .draw({"of", "by_key", "lost"});
  SettingControls(c, &Scene::attention, attentionSettings()).draw({"base"});
}

} // namespace attention::gui
