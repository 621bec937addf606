#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/encodings/encodings_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"

#include <algorithm>

namespace attention::gui {
namespace {

// Fewer positions than l1 l2, as in models with shorter inputs.
void firstPositions(const PanelContext& c) {
  const EncodingsSpec& spec = c.scene.encodings;
  const Index all = gridOf(spec);
  bool cut = spec.n.has_value();
  if (checkbox(c.ui, "only the first n", cut,
               {"Use only the first n of the ℓ1 · ℓ2 positions, as shorter inputs do"}))
    c.actions.edit("positions", [cut, all](Scene& s) {
      s.encodings.n = cut ? std::optional<Index>(std::max<Index>(1, all / 2)) : std::nullopt;
    });
}

} // namespace

void drawEncodingsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Encodings");
  sectionHeading(c.ui, "Tables");
  const SettingControls settings(c, &Scene::encodings, encodingsSettings());
  settings.draw({"l1", "l2", "d1", "d2"});
  firstPositions(c);
  settings.draw({"n", "reading", "tables", "seed"});
  if (button(c.ui, "Hugging Face's sizes",
             {"ℓ1 = ℓ2 = 64, d1 = 64, d2 = 192: Reformer's defaults", true, -1}))
    c.actions.edit("sizes", [](Scene& s) {
      const AxialShape usual;
      s.encodings.l1 = usual.l1;
      s.encodings.l2 = usual.l2;
      s.encodings.d1 = usual.d1;
      s.encodings.d2 = usual.d2;
      s.encodings.n.reset();
    });
}

} // namespace attention::gui
