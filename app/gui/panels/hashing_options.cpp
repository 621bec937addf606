#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/view/jargon.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/lsh.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr Index kMostKeysDragged = 64;
constexpr Index kMostRoundsChosen = 8; // as segments; more by the rows of the picture

using Edits = std::function<void(HashingSpec&)>;

void edit(const PanelContext& c, const char* label, const Edits& change, const char* gesture = "") {
  c.actions.push(EditScene{label, [change](Scene& s) { change(s.hashing); }, gesture});
}

template <class Of>
struct Range {
  Of least;
  Of most;
};

void slider(const PanelContext& c, const char* label, Index value, const Range<Index>& range,
            const char* tooltip, const std::function<void(HashingSpec&, Index)>& set) {
  SliderSpec spec;
  spec.tooltip = tooltip;
  const Edit made = sliderInt(c.ui, label, value, range.least, range.most, spec);
  if (made.changed)
    edit(
        c, label, [set, value](HashingSpec& h) { set(h, value); }, label);
  if (made.finished)
    c.actions.push(EndGesture{});
}

void degrees(const PanelContext& c, const char* label, double CircleSpec::*field,
             const char* tooltip) {
  double value = c.scene.hashing.circle.*field;
  SliderSpec spec;
  spec.tooltip = tooltip;
  spec.unit = "°";
  const Edit made = sliderReal(c.ui, label, value, 0, 180, spec);
  if (made.changed)
    edit(
        c, label, [field, value](HashingSpec& h) { h.circle.*field = value; }, label);
  if (made.finished)
    c.actions.push(EndGesture{});
}

template <class E>
void choose(const PanelContext& c, const char* label, E HashingSpec::*field,
            const std::vector<ChoiceItem>& items, const ChoiceSpec& spec = {}) {
  int selected = static_cast<int>(c.scene.hashing.*field);
  if (choice(c.ui, label, selected, items, spec))
    edit(c, label, [field, selected](HashingSpec& h) { h.*field = static_cast<E>(selected); });
}

// Rounds of the pattern as it was prepared last; 1 of clusters.
Index roundsOf(const PanelContext& c) {
  const auto& tokens = c.results.hashing.tokens;
  return tokens ? static_cast<Index>(tokens->groups().rounds.size()) : 1;
}

void roundChoice(const PanelContext& c) {
  const Index rounds = roundsOf(c);
  if (rounds < 2)
    return;
  const Index shown = std::clamp<Index>(c.scene.hashing.round, 0, rounds - 1);
  const std::string meaning = explained("The round that tokens are sorted by, r.", jargon::kRound);
  if (rounds > kMostRoundsChosen)
    return slider(c, "round", shown, {0, rounds - 1}, meaning.c_str(),
                  [](HashingSpec& h, Index round) { h.round = round; });
  std::vector<ChoiceItem> items;
  for (Index r = 0; r < rounds; ++r)
    items.push_back({std::to_string(r), "Sort by the buckets of round " + std::to_string(r)});
  int selected = static_cast<int>(shown);
  ChoiceSpec spec;
  spec.tooltip = meaning;
  if (choice(c.ui, "round", selected, items, spec))
    edit(c, "round", [selected](HashingSpec& h) { h.round = selected; });
}

void cellControls(const PanelContext& c) {
  if (roundsOf(c) < 2)
    return;
  int joined = c.scene.hashing.joined ? 1 : 0;
  if (choice(c.ui, "cells", joined,
             std::vector<ChoiceItem>{{"one round", "Only what the round above shows"},
                                     {"all rounds", "The union of all rounds"}}))
    edit(c, "cells", [joined](HashingSpec& h) { h.joined = joined == 1; });
  choose(c, "coloured by", &HashingSpec::colors,
         {{"bucket", "The query's bucket in the round above"},
          {"round", "The first round that shows the cell"}});
}

void curveControls(const PanelContext& c) {
  slider(c, "recall of", c.scene.hashing.recallKeys, {1, kMostKeysDragged},
         "How many of each query's largest weights count for recall",
         [](HashingSpec& h, Index keys) { h.recallKeys = keys; });
  if (c.scene.pattern.is<Lsh>())
    slider(
        c, "rounds up to", c.scene.hashing.most, {1, kMostHashingRounds},
        "The curves go up to this many hash rounds; a point at fewer rounds uses the first of them",
        [](HashingSpec& h, Index most) { h.most = most; });
}

void redrawButtons(const PanelContext& c) {
  const float width = shareOfRow(2);
  if (button(c.ui, "↻ Redraw", {"New rounds: the next seed (R)", true, width}))
    c.actions.run("hashing.redraw");
  ImGui::SameLine();
  bool on = c.playing;
  if (toggle(c.ui, "every 2 s", on, {"New rounds every two seconds (Space)", true, width}))
    c.actions.run("hashing.play");
}

void circleControls(const PanelContext& c) {
  const CircleSpec& spec = c.scene.hashing.circle;
  int draw = static_cast<int>(spec.draw);
  if (choice(c.ui, "drawn", draw,
             std::vector<ChoiceItem>{
                 {"rotations", "Turn the plane by a random angle; the buckets are four quarters"},
                 {"Gaussian",
                  "Draw a matrix from N(0, 1), as the code does; sectors have any width"}}))
    edit(c, "drawn", [draw](HashingSpec& h) { h.circle.draw = static_cast<AngularDraw>(draw); });
  if (spec.draw == AngularDraw::Gaussian)
    slider(c, "half the buckets", spec.buckets / 2, {1, kMostAngularBuckets / 2},
           "Columns of the matrix; they and their negatives are the buckets, b / 2",
           [](HashingSpec& h, Index half) { h.circle.buckets = 2 * half; });
  slider(c, "rounds", spec.rounds, {1, kMostCircles}, "How often the points are hashed, R",
         [](HashingSpec& h, Index rounds) { h.circle.rounds = rounds; });
  degrees(c, "far points", &CircleSpec::far, "The angle between the two points of the upper row");
  degrees(c, "near points", &CircleSpec::near, "The angle between the two points of the lower row");
  slider(c, "circle seed", spec.seed, {0, 100}, "Seed of the rotations or matrices",
         [](HashingSpec& h, Index seed) {
           h.circle.seed = seed;
           h.circle.redraws = 0;
         });
  redrawButtons(c);
}

} // namespace

void drawHashingOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Groups");
  const HashingPicture picture = c.scene.hashing.picture;
  if (picture == HashingPicture::Circle) {
    sectionHeading(c.ui, "Circle");
    return circleControls(c);
  }
  if (!c.results.hashing.groups)
    return;
  sectionHeading(c.ui, "Groups");
  if (picture != HashingPicture::Captured) {
    roundChoice(c);
    cellControls(c);
  }
  if (picture != HashingPicture::Matrices)
    curveControls(c);
  const bool seeded = groupsBySeed(c.scene.pattern);
  if (button(c.ui, "↻ New seed",
             {seeded ? "Hash or cluster again with the next seed (R)"
                     : "The labels, centroids or rotations are given, so no seed is used",
              seeded}))
    c.actions.run("hashing.redraw");
}

} // namespace attention::gui
