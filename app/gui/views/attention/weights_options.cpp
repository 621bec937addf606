#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/attention/weights_view.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

void drawWeightsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Weights");
  const AttentionPicture picture = c.scene.attention.picture;
  const SettingControls settings(c, &Scene::attention, attentionSettings());
  sectionHeading(c.ui, "Attention weights");
  if (picture == AttentionPicture::Maps) {
    const WidgetScope maps(c.ui.log, "Maps");
    SettingControls(
        c, [](auto& s) -> auto& { return s.attention.maps; }, attentionMapsSettings())
        .toggles({"full", "pattern", "difference"}, true);
  }
  if (picture == AttentionPicture::Lines) // which have no logits
    settings.drawAs("of", [](ParameterFacts& facts) { facts.choices.pop_back(); });
  else
    settings.draw({"of"});
  settings.draw({"curves", "least", "base"});
}

} // namespace attention::gui
