#include "app/gui/panels/feature_words.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/views/paint.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace attention::gui {
namespace {

using Mechanisms = std::vector<TimedMechanism>;
using Kind = TimedMechanism::Kind;

constexpr Index kMostOwn = 512; // projections and projected keys that a slider gives

void setMechanisms(const PanelContext& c, const char* label, Mechanisms mechanisms,
                   const std::string& gesture = {}) {
  c.actions.push(EditScene{
      label, [mechanisms = std::move(mechanisms)](Scene& s) { s.timings.mechanisms = mechanisms; },
      gesture});
}

// The number of a row's own, where it has one.
void rowNumber(const PanelContext& c, Mechanisms& all, std::size_t k) {
  TimedMechanism& mechanism = all[k];
  const bool features = mechanism.kind == Kind::Features && takesProjections(mechanism.features);
  if (!features && mechanism.kind != Kind::Linformer)
    return;
  Index value = features ? mechanism.m : mechanism.k;
  SliderSpec spec;
  spec.logarithmic = true;
  spec.tooltip = features ? "Projections of the random features, m" : "Projected keys, k";
  const Edit edit = sliderInt(c.ui, features ? "m" : "k", value, 1, kMostOwn, spec);
  if (edit.changed) {
    (features ? mechanism.m : mechanism.k) = std::max<Index>(1, value);
    mechanism.title.clear(); // it may name the number
    setMechanisms(c, features ? "m" : "k", all, "timed " + std::to_string(k));
  }
  if (edit.finished)
    c.actions.push(EndGesture{});
}

// A row of the list; whether the list was changed.
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
      {{"whatever Mask shows", "Always the Mask view's pattern, also when it changes"}, {}}};
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
  setMechanisms(c, "time a mechanism", std::move(more));
}

// One of a few numbers, or what a scene says instead.
void numberChoice(const PanelContext& c, const char* label, std::vector<Index> numbers,
                  Index TimingsSpec::*field, const char* tooltip) {
  const Index present = c.scene.timings.*field;
  const auto place = std::lower_bound(numbers.begin(), numbers.end(), present);
  if (place == numbers.end() || *place != present)
    numbers.insert(place, present);
  std::vector<ChoiceItem> items;
  items.reserve(numbers.size());
  for (const Index number : numbers)
    items.push_back({groupDigits(number), tooltip});
  int selected =
      static_cast<int>(std::find(numbers.begin(), numbers.end(), present) - numbers.begin());
  ChoiceSpec spec;
  spec.tooltip = tooltip;
  if (!combo(c.ui, label, selected, items, spec))
    return;
  const Index number = numbers[static_cast<std::size_t>(selected)];
  c.actions.edit(label, [field, number](Scene& s) {
    s.timings.*field = number;
    if (field == &TimingsSpec::to)
      s.timings.from = std::min(s.timings.from, s.timings.to);
    else
      s.timings.to = std::max(s.timings.to, s.timings.from);
  });
}

void numberSlider(const PanelContext& c, const char* label, Index TimingsSpec::*field, Index most,
                  const char* tooltip) {
  Index value = c.scene.timings.*field;
  SliderSpec spec;
  spec.tooltip = tooltip;
  const Edit edit = sliderInt(c.ui, label, value, 1, most, spec);
  if (edit.changed)
    c.actions.push(EditScene{label, [field, value](Scene& s) { s.timings.*field = value; }, label});
  if (edit.finished)
    c.actions.push(EndGesture{});
}

void sizeOptions(const PanelContext& c) {
  numberChoice(c, "from n", {64, 128, 256, 512, 1024}, &TimingsSpec::from,
               "The smallest length; each next one is twice as long");
  numberChoice(c, "to n", {256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}, &TimingsSpec::to,
               "The largest length; a mechanism ends where one run takes more than 100 ms");
  numberChoice(c, "d", {16, 32, 64, 128, 256}, &TimingsSpec::d, "Width of a head");
  numberSlider(c, "model heads", &TimingsSpec::heads, 16, "Heads of a run, one after the other");
  numberSlider(c, "threads", &TimingsSpec::threads, std::max(2, resolvedThreads(0)),
               "Threads that each run may use, and the measurement of the peak");
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
    setMechanisms(c, "time less", all);
  else
    addMechanism(c, all);
  space(c.ui, 4);
  sizeOptions(c);
  if (button(c.ui, "Measure again", {"Measure all times again (M)", true, -1}))
    c.actions.run("timings.again");
}

} // namespace attention::gui
