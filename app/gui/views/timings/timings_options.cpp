#include "app/gui/panels/layout.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/views/timings/timings_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/scene/score_words.h"
#include "core/views/timings/scene_timings.h"

#include <algorithm>

namespace attention::gui {
namespace {

using Mechanisms = std::vector<TimedMechanism>;
using Kind = TimedMechanism::Kind;

void setMechanisms(const PanelContext& c, const char* label, Mechanisms mechanisms,
                   const std::string& gesture = {}) {
  c.actions.push(EditScene{
      label, [mechanisms = std::move(mechanisms)](Scene& s) { s.timings.mechanisms = mechanisms; },
      gesture});
}

// The number of a row's own, where it has one.
void rowNumber(const PanelContext& c, const Mechanisms& all, std::size_t k) {
  for (const char* name : {"m", "k"}) {
    const Setting<TimedMechanism>& setting = settingNamed(timedSettings(), name);
    if (!setting.visible(all[k]))
      continue;
    const SettingEdit edit =
        settingControl(c, {setting, setting.resolved(all[k], 1), setting.bounds(all[k], 1)}, name);
    if (edit.value) {
      Mechanisms changed = all;
      setting.set(changed[k], *edit.value);
      changed[k].title.clear(); // it may name the number
      setMechanisms(c, name, std::move(changed), "timed " + std::to_string(k));
    }
    if (edit.finished)
      c.actions.push(EndGesture{});
  }
}

// Draws a row of the list; returns whether the list was changed.
bool mechanismRow(const PanelContext& c, Mechanisms& all, std::size_t k) {
  const Ui& ui = c.ui;
  const RowScope row(ui.log, "timed " + std::to_string(k + 1));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec4& hue = ui.colors().series[k % ui.colors().series.size()];
  drawMarker(ImVec2(at.x + ui.px(6.5F), at.y + ui.px(9.5F)), markerOf(k), ui.px(5.5F), color(hue));
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(22), at.y));
  const float right = contentRight();
  setContentRight(right - ui.px(30));
  words(ui, nameOf(all[k], scoredMethod(all[k], c.scene.pattern, c.scene.timings.d)));
  setContentRight(right);
  if (removeAtRight(ui, "remove", {"Stop timing it", all.size() > 1})) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
    return true;
  }
  rowNumber(c, all, k);
  return false;
}

TimedMechanism patternOf(const Pattern& pattern) {
  TimedMechanism mechanism;
  mechanism.kind = Kind::Pattern;
  mechanism.pattern = pattern;
  return mechanism;
}
TimedMechanism featuresOf(FeatureMap map) {
  TimedMechanism mechanism;
  mechanism.kind = Kind::Features;
  mechanism.features = map;
  return mechanism;
}
TimedMechanism linformer() {
  TimedMechanism mechanism;
  mechanism.kind = Kind::Linformer;
  return mechanism;
}
TimedMechanism kernelOf(Kernel kernel) {
  TimedMechanism mechanism;
  mechanism.kind = Kind::Kernel;
  mechanism.kernel = kernel;
  return mechanism;
}

// What can be added, by the name of its row without numbers.
struct Offer {
  ChoiceItem item;
  TimedMechanism mechanism;
};

std::vector<Offer> offersOf(const PanelContext& c) {
  std::vector<Offer> offers{
      {{"the current pattern",
        "The Mask view's pattern as it is now; it stays the same when the Mask view changes"},
       patternOf(c.scene.pattern)},
      {{"whatever Mask shows", "Always the Mask view's pattern, even when it changes"}, {}}};
  const auto offer = [&](TimedMechanism mechanism, const char* tooltip) {
    std::string title =
        methodKindTitle(scoredMethod(mechanism, c.scene.pattern, c.scene.timings.d));
    offers.push_back({{std::move(title), tooltip}, std::move(mechanism)});
  };
  offer(patternOf(Full{}), "Attention to all keys");
  offer(patternOf(Causal{}), "Attention to j ≤ i");
  for (const FeatureMap map : {FeatureMap::Positive, FeatureMap::Hyperbolic, FeatureMap::Trig,
                               FeatureMap::GaussianTrig, FeatureMap::Relu, FeatureMap::Elu1})
    offer(featuresOf(map), meaningOf(map));
  offer(linformer(), "Projected keys and values (Wang et al. 2020)");
  offer(kernelOf(Kernel::Softmax), "Exact: exp(q·k/√d) of all pairs");
  offer(kernelOf(Kernel::Gaussian), "Exact: exp(−|q−k|²/(2√d)) of all pairs");
  offer(kernelOf(Kernel::Elu1), "Exact: (elu(q) + 1)·(elu(k) + 1), in the linear order");
  offer(kernelOf(Kernel::Relu), "Exact: Σ max(q,0) max(k,0), in the linear order");
  return offers;
}

void addMechanism(const PanelContext& c, const Mechanisms& all) {
  std::vector<Offer> offers = offersOf(c);
  std::vector<ChoiceItem> items;
  items.reserve(offers.size());
  for (const Offer& offer : offers)
    items.push_back(offer.item);
  ChoiceSpec spec;
  spec.enabled = all.size() < kMostTimed;
  spec.tooltip = "Another mechanism to time; at most 8";
  int chosen = -1;
  if (!combo(c.ui, "add", chosen, items, spec) || chosen < 0)
    return;
  Mechanisms more = all;
  more.push_back(offers[static_cast<std::size_t>(chosen)].mechanism);
  setMechanisms(c, "add a mechanism", std::move(more));
}

} // namespace

void drawTimingsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Timings");
  sectionHeading(c.ui, "Timed");
  Mechanisms all = mechanismsOf(c.scene.timings, c.scene.pattern);
  bool fewer = false;
  for (std::size_t k = 0; k < all.size() && !fewer; ++k)
    fewer = mechanismRow(c, all, k);
  if (fewer)
    setMechanisms(c, "remove a mechanism", all);
  else
    addMechanism(c, all);
  space(c.ui, 4);
  const SettingControls sizes(c, &Scene::timings, timingsSettings());
  sizes.draw("from", [](TimingsSpec& spec) { spec.to = std::max(spec.to, spec.from); });
  sizes.draw("to", [](TimingsSpec& spec) { spec.from = std::min(spec.from, spec.to); });
  sizes.draw({"d", "heads", "threads"});
  if (button(c.ui, "Measure again", {"Measure all times again (M)", true, -1}))
    c.actions.run("timings.again");
}

} // namespace attention::gui
