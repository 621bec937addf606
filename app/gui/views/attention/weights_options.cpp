#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/attention/weights_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/views/mask/mask_words.h"

namespace attention::gui {

namespace {

// The tiles of the Mask view over the weights: the same setting. They are shown to be told apart.
void tileOptions(const PanelContext& c) {
  const TilesSpec& tiles = c.scene.mask.tiles;
  bool on = tiles.shown;
  if (toggle(c.ui, "tiles", on,
             {"As in Mask: the mask cut into tiles, as block-sparse kernels compute it, with the "
              "share "
              "of all attention in each",
              true, availableWidth()}))
    c.actions.edit("tiles", [lengths = c.results.lengths](Scene& s) {
      TilesSpec& spec = s.mask.tiles;
      if (!spec.shown)
        spec = withSeveralTiles(spec, lengths);
      spec.shown = !spec.shown;
    });
  if (tiles.shown)
    SettingControls<TilesSpec>(
        c, [](auto& s) -> auto& { return s.mask.tiles; }, tilesSettings())
        .draw({"queries", "keys"});
}

} // namespace

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
    tileOptions(c);
  }
  if (picture == AttentionPicture::Lines) // which have no logits
    settings.drawAs("of", [](ParameterFacts& facts) { facts.choices.pop_back(); });
  else
    settings.draw({"of"});
  settings.draw({"curves", "least", "base"});
}

} // namespace attention::gui
