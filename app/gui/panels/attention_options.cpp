#include "app/gui/panels/base_choice.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"

#include <array>

namespace attention::gui {
namespace {

template <class E>
void choose(const PanelContext& c, const char* label, E AttentionSpec::*field,
            const std::vector<ChoiceItem>& items) {
  // Lines have no logits: they show the first, full attention.
  const auto chosen = static_cast<std::size_t>(c.scene.attention.*field);
  int selected = chosen < items.size() ? static_cast<int>(chosen) : 0;
  if (choice(c.ui, label, selected, items))
    c.actions.edit(label,
                   [field, selected](Scene& s) { s.attention.*field = static_cast<E>(selected); });
}

// The matrices: what is pressed is shown, and the last one stays.
void mapToggles(const PanelContext& c) {
  struct Map {
    const char* label;
    const char* tooltip;
    bool AttentionMaps::*shown;
  };
  static constexpr std::array kMaps{
      Map{"dense",
          "Softmax over all keys, or those with j ≤ i: what the pattern is measured against",
          &AttentionMaps::full},
      Map{"pattern", "Softmax over the pattern's keys only", &AttentionMaps::pattern},
      Map{"difference", "Pattern minus dense: orange where the pattern gives more weight",
          &AttentionMaps::difference}};
  const WidgetScope scope(c.ui.log, "Maps");
  const AttentionMaps& maps = c.scene.attention.maps;
  const int count = static_cast<int>(maps.full) + static_cast<int>(maps.pattern) +
                    static_cast<int>(maps.difference);
  const float least = textSize(c.ui.fonts.text, "difference").x + c.ui.px(12);
  const float third = shareOfRow(static_cast<int>(kMaps.size()));
  const float width = third >= least ? third : shareOfRow(2);
  for (const Map& map : kMaps) {
    if (&map != kMaps.data())
      sameLineIfRoom(ImGui::GetStyle().ItemSpacing.x, width);
    bool on = maps.*map.shown;
    if (toggle(c.ui, map.label, on, {map.tooltip, !(on && count == 1), width}))
      c.actions.edit("maps", [shown = map.shown, on](Scene& s) { s.attention.maps.*shown = on; });
  }
}

void leastSlider(const PanelContext& c) {
  double value = c.scene.attention.least;
  SliderSpec spec;
  spec.tooltip = "Lines with smaller weights are not drawn";
  const Edit made = sliderReal(c.ui, "least weight", value, 0, 0.5, spec);
  if (made.changed)
    c.actions.push(
        EditScene{"least weight", [value](Scene& s) { s.attention.least = value; }, "least"});
  if (made.finished)
    c.actions.push(EndGesture{});
}

} // namespace

void drawAttentionOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Weights");
  const AttentionSpec& spec = c.scene.attention;
  sectionHeading(c.ui, "Attention weights");
  if (spec.picture == AttentionPicture::Maps) {
    mapToggles(c);
    bool curves = spec.curves;
    if (checkbox(c.ui, "curves by query", curves,
                 {"Captured mass, output error and entropy of every query"}))
      c.actions.edit("curves", [curves](Scene& s) { s.attention.curves = curves; });
  } else {
    std::vector<ChoiceItem> items{{"dense", "Softmax over all keys, or those with j ≤ i"},
                                  {"pattern", "Softmax over the pattern's keys only"}};
    if (spec.picture == AttentionPicture::Heads)
      items.push_back({"logits", "Scores before the softmax: q·k times the scale, after the soft "
                                 "cap where the model has one; all heads share one colour scale"});
    choose(c, "weights of", &AttentionSpec::of, items);
  }
  if (spec.picture == AttentionPicture::Lines)
    leastSlider(c);
  choose(c, "against", &AttentionSpec::base, baseItems());
}

} // namespace attention::gui
