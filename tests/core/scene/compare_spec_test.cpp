// What the Compare view shows, as a part of the Scene.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/presets.h"
#include "core/scene/scene_json.h"
#include "core/views/compare/match_pairs.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

using namespace attention;

namespace {

Scene comparing(std::vector<Panel> patterns, Index n) {
  Scene scene;
  scene.view = View::Compare;
  scene.length.n = n;
  scene.compare.patterns = std::move(patterns);
  return scene;
}

} // namespace

TEST_CASE("a comparison comes back from JSON", "[scene]") {
  Scene scene = comparing({{"one", Causal{}}, {"two", Full{}}, {"", Causal{}}}, 9);
  scene.compare.first = 2;
  scene.compare.second = 0;
  scene.compare.chosen = 1;
  scene.compare.matchPairs = true;
  scene.compare.sortedBy = ScoreColumn::Flops;
  scene.compare.rising = true;
  TimedMechanism linformer;
  linformer.kind = TimedMechanism::Kind::Linformer;
  scene.compare.scored = {linformer};
  const ReadScene read = sceneFromText(toText(scene), "scene");
  CHECK(read.warnings.empty());
  CHECK(read.scene == scene);
}

TEST_CASE("the difference has one part for both and one for each pattern only", "[scene]") {
  // Two conventions for a window of six at n = 32: 177 and 203 pairs, which differ in 26.
  const Scene scene = comparing({}, 32);
  const ShownMasks shown = shownMasks(scene, squareLengths(32), nullptr);
  REQUIRE(shown.masks.size() == 3);
  CHECK(shown.masks[0].prepared->pairs() == 177);
  CHECK(shown.masks[1].prepared->pairs() == 203);
  const Prepared& difference = *shown.masks[2].prepared;
  REQUIRE(difference.parts().size() == 3);
  CHECK(difference.pairs() == 203);
  KeyRanges ranges;
  const auto keysIn = [&](std::size_t part, Index query) {
    difference.row(part, query, ranges);
    Index keys = 0;
    for (const KeyRange& range : ranges)
      keys += count(range);
    return keys;
  };
  CHECK(keysIn(0, 20) == 6);
  CHECK(keysIn(1, 20) == 0);
  CHECK(keysIn(2, 20) == 1);
  CHECK(keysIn(2, 5) == 0);
}

TEST_CASE("impossible comparisons are refused by name", "[scene]") {
  const auto refused = [](const CompareSpec& spec) {
    return codeAndSubject([&] { comparedPanels(spec); });
  };
  CompareSpec spec;
  CHECK(refused(spec).empty());
  spec.patterns = {{"alone", Causal{}}};
  CHECK(refused(spec) == "E_RANGE compare.patterns");
  spec.patterns.assign(5, {"", Causal{}});
  CHECK(refused(spec) == "E_RANGE compare.patterns");
  spec = {};
  spec.second = 2;
  CHECK(refused(spec) == "E_RANGE compare.second");
  spec.second = 0;
  CHECK(refused(spec) == "E_RANGE compare.second");
  spec = {};
  spec.chosen = 2;
  CHECK(refused(spec) == "E_RANGE compare.chosen");
  spec.chosen = -1;
  CHECK(refused(spec) == "E_RANGE compare.chosen");
  spec = {};
  spec.scored.assign(kMostScored + 1, {});
  CHECK(refused(spec) == "E_RANGE compare.scored");
}

TEST_CASE("controls edit the chosen pattern of a comparison and keep a convention's name",
          "[scene]") {
  Scene scene = comparing({}, 32);
  scene.pattern = Full{};
  CHECK(editedPattern(scene) == usualCompared()[0].pattern);
  const Preset& preset = allPresets().front();
  scene.compare.patterns = {{"one", Causal{}}, {preset.title, preset.pattern()}};
  scene.compare.chosen = 1;
  const Scene before = scene;
  Pattern longer = editedPattern(scene);
  const Parameter* window = mainParameter(longer);
  REQUIRE(window);
  window->set(longer, Value(Index{7}));
  setEditedPattern(scene, longer);
  dropStaleWords(scene, before);
  CHECK(scene.compare.patterns[1].pattern == longer);
  CHECK(scene.compare.patterns[1].title == preset.title);
  CHECK(scene.compare.patterns[0] == before.compare.patterns[0]);
  CHECK(scene.pattern == before.pattern);
  // Another mechanism makes another pattern.
  Scene other = before;
  setEditedPattern(other, Full{});
  dropStaleWords(other, before);
  CHECK(other.compare.patterns[1].title.empty());
  replaceEditedPattern(other, Causal{}, "a convention");
  CHECK(other.compare.patterns[1].title == "a convention");
  other.compare.chosen = 99; // of a damaged file
  CHECK(editedPattern(other) == other.compare.patterns[1].pattern);
  // In views without panels it is the Scene's own.
  other.view = View::Mask;
  setEditedPattern(other, Strided{});
  CHECK(other.pattern == Pattern(Strided{}));
}
