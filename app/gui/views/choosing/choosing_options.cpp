#include "app/gui/interface/jargon.h"
#include "app/gui/panels/layout.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/lsh.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr Index kMostRoundsChosen = 8; // as segments; more by a slider

using Controls = SettingControls<ChoosingSpec>;

// Rounds of the pattern as last prepared; 1 for clusters.
Index roundsOf(const PanelContext& c) {
  const auto& tokens = c.results.part<ChoosingResults>().tokens;
  return tokens ? static_cast<Index>(tokens->groups().rounds.size()) : 1;
}

// The round in which tokens are shown: the last where the pattern has fewer than the setting says.
void roundChoice(const PanelContext& c) {
  const Index rounds = roundsOf(c);
  const Index shown = std::clamp<Index>(c.scene.choosing.round, 0, rounds - 1);
  const std::string meaning = explained("The round that tokens are sorted by, r.", jargon::kRound);
  const auto set = [&](Index round, const char* gesture) {
    c.actions.push(EditScene{"round", [round](Scene& s) { s.choosing.round = round; }, gesture});
  };
  if (rounds > kMostRoundsChosen) {
    Index value = shown;
    SliderSpec spec;
    spec.tooltip = meaning;
    const Edit edit = sliderInt(c.ui, "round", value, 0, rounds - 1, spec);
    if (edit.changed)
      set(value, "round");
    if (edit.finished)
      c.actions.push(EndGesture{});
    return;
  }
  std::vector<ChoiceItem> items;
  for (Index r = 0; r < rounds; ++r)
    items.push_back({std::to_string(r), "Sort by the buckets of round " + std::to_string(r)});
  int selected = static_cast<int>(shown);
  ChoiceSpec spec;
  spec.tooltip = meaning;
  if (choice(c.ui, "round", selected, items, spec))
    set(selected, "");
}

void redrawButtons(const PanelContext& c) {
  const float width = shareOfRow(2);
  if (button(c.ui, "↻ Redraw", {"New rounds: the next seed (R)", true, width}))
    c.actions.run("choosing.redraw");
  ImGui::SameLine();
  bool on = c.playing;
  if (toggle(c.ui, "every 2 s", on, {"New rounds every two seconds (Space)", true, width}))
    c.actions.run("choosing.play");
}

void circleControls(const PanelContext& c) {
  const SettingControls settings(
      c, [](auto& s) -> auto& { return s.choosing.circle; }, circleSettings());
  settings.draw({"draw", "n_buckets", "n_rounds", "far", "near"});
  settings.draw("seed", [](CircleSpec& circle) { circle.redraws = 0; });
  redrawButtons(c);
}

} // namespace

void drawChoosingOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Groups");
  const ChoosingPicture picture = c.scene.choosing.picture;
  if (picture == ChoosingPicture::Circle) {
    sectionHeading(c.ui, "Circle");
    return circleControls(c);
  }
  if (isChoice(picture) || !c.results.part<ChoosingResults>().groups)
    return;
  sectionHeading(c.ui, "Groups");
  const Controls settings(c, &Scene::choosing, choosingSettings());
  if (picture != ChoosingPicture::Captured && roundsOf(c) > 1) {
    roundChoice(c);
    settings.draw({"joined", "colors"});
  }
  if (picture != ChoosingPicture::Matrices)
    settings.draw({"recall_keys"});
  if (picture != ChoosingPicture::Matrices && c.scene.pattern.is<Lsh>())
    settings.draw({"most_rounds"});
  const bool seeded = groupsBySeed(c.scene.pattern);
  if (button(c.ui, "↻ New seed",
             {seeded ? "Hash or cluster again with the next seed (R)"
                     : "The labels, centroids or rotations are given, so no seed is used",
              seeded}))
    c.actions.run("choosing.redraw");
}

} // namespace attention::gui
