#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/strided.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"
#include "tests/catch.h"

using namespace attention;

namespace {

HeadsSpec heads(Index count, bool alternate, Index subblocks = 1) {
  HeadsSpec spec;
  spec.shown = HeadsShown::SideBySide;
  spec.heads = count;
  spec.alternate = alternate;
  spec.subblocks = subblocks;
  return spec;
}

Fixed fixedOf(Factor factor, Index subblock) {
  Fixed fixed;
  fixed.stride = 8;
  fixed.columns = 2;
  fixed.head = factor;
  fixed.subblock = subblock;
  return fixed;
}

} // namespace

TEST_CASE("heads side by side are named and in order") {
  Scene scene;
  scene.pattern = fixedOf(Factor::Union, 0);
  scene.mask.heads = heads(4, true, 2);
  const auto shown = shownPatterns(scene, squareLengths(32));
  REQUIRE(shown.size() == 4);
  CHECK(shown[0] == Panel{"head 0", fixedOf(Factor::First, 0)});
  CHECK(shown[1] == Panel{"head 1", fixedOf(Factor::Second, 0)});
  CHECK(shown[3] == Panel{"head 3", fixedOf(Factor::Second, 1)});
}

TEST_CASE("panels without a title have that of their pattern") {
  Scene scene;
  scene.mask.panels = {{"mine", Causal{}}, {"", fixedOf(Factor::First, 0)}};
  const auto shown = shownPatterns(scene, squareLengths(32));
  CHECK(shown[0].title == "mine");
  CHECK(shown[1].title.starts_with("Fixed"));
}

TEST_CASE("alternating heads merge to the union of both factors") {
  Scene scene;
  scene.pattern = fixedOf(Factor::Union, 0);
  scene.mask.heads = heads(4, true);
  scene.mask.heads.shown = HeadsShown::Merged;
  const auto shown = shownPatterns(scene, squareLengths(32));
  REQUIRE(shown.size() == 1);
  CHECK(prepare(shown[0].pattern, squareLengths(32))->pairs() ==
        prepare(scene.pattern, squareLengths(32))->pairs());
}

TEST_CASE("more heads than fit side by side are an error") {
  Scene scene;
  scene.pattern = Causal{};
  scene.mask.heads = heads(kMostHeadsShown + 1, false);
  CHECK_THROWS_AS(shownPatterns(scene, squareLengths(32)), Error);
}

TEST_CASE("heads that are all equal merge to the pattern itself") {
  Scene scene;
  scene.pattern = Causal{};
  scene.mask.heads = heads(4, false);
  scene.mask.heads.shown = HeadsShown::Merged;
  const auto shown = shownPatterns(scene, squareLengths(16));
  REQUIRE(shown.size() == 1);
  CHECK(shown[0].pattern == Pattern(Causal{}));
}

TEST_CASE("heads that are all equal are one picture and can be made to differ") {
  Scene scene;
  scene.pattern = Strided{};
  scene.mask.heads = heads(4, false);
  const auto shown = shownPatterns(scene, squareLengths(64));
  REQUIRE(shown.size() == 1);
  CHECK(shown.front().title == "each of 4 heads");
  CHECK(shown.front().pattern == scene.pattern);
  const HeadsSpec same = heads(4, false);
  CHECK(withDifferingHeads(same, Strided{}).alternate);
  CHECK(withDifferingHeads(same, Fixed{}).alternate);
  CHECK(withDifferingHeads(same, Longformer{}).dilations == std::vector<Index>{1, 2, 3, 4});
  CHECK(withDifferingHeads(same, Local{}) == same);
  for (const Pattern& pattern :
       {Pattern(Strided{}), Pattern(Fixed{}), Pattern(Longformer{}), Pattern(BigBird{})}) {
    scene.pattern = pattern;
    scene.mask.heads = withDifferingHeads(same, pattern);
    const auto differing = shownPatterns(scene, squareLengths(2048));
    REQUIRE(differing.size() == 4);
    CHECK_FALSE(differing[0].pattern == differing[1].pattern);
  }
}

TEST_CASE("a number of heads out of range is left to the check of the Scene") {
  for (const Index count : {Index{-1}, Index{0}, Index{4097}, Index{1000000000000}})
    for (const char* name : {"strided", "fixed", "longformer"}) {
      HeadsSpec spec;
      spec.heads = count;
      const HeadsSpec same = withDifferingHeads(spec, patternNamed(name));
      CHECK(same.dilations.empty());
      CHECK(same == spec);
    }
}

TEST_CASE("panels come before heads and a single pattern has no title") {
  Scene scene;
  scene.pattern = Strided{};
  CHECK(shownPatterns(scene, squareLengths(16)) == std::vector<Panel>{{"", Strided{}}});
  scene.mask.heads = heads(4, true);
  scene.mask.panels = {{"one", Full{}}, {"two", Causal{}}};
  CHECK(shownPatterns(scene, squareLengths(16)) == scene.mask.panels);
}

TEST_CASE("panels and compared patterns have letters and heads and a difference have none") {
  const auto titles = [](const Scene& scene) {
    std::vector<std::string> all;
    for (const ShownMask& mask : shownMasks(scene, squareLengths(16), nullptr).masks)
      all.push_back(letteredTitle(mask));
    return all;
  };
  using Titles = std::vector<std::string>;
  Scene scene;
  scene.pattern = Strided{};
  CHECK(titles(scene) == Titles{""});
  scene.mask.heads = heads(2, true);
  CHECK(titles(scene) == Titles{"head 0", "head 1"});
  scene.mask.panels = {{"one", Full{}}, {"", Causal{}}, {"(x) three", Causal{}}};
  CHECK(titles(scene) == Titles{"(a) one", "(b) Causal", "(x) three"});
  scene.mask.panels = {{"(Local ∪ Strided) ∖ Causal", Full{}}, {"(b)", Causal{}}};
  CHECK(titles(scene) == Titles{"(a) (Local ∪ Strided) ∖ Causal", "(b)"});
  scene.view = View::Compare;
  scene.compare.patterns = {{"one", Full{}}, {"two", Causal{}}};
  CHECK(titles(scene) ==
        Titles{"(a) one · 256 pairs", "(b) two · 136 pairs", "difference · 120 pairs"});
}

TEST_CASE("views of tables, times and circles read neither pattern nor input") {
  Scene scene;
  for (const View view : {View::Mask, View::Reach, View::Attention, View::Compare}) {
    scene.view = view;
    CHECK(readsPattern(scene));
    CHECK(takesInput(scene));
  }
  scene.view = View::Choosing; // which offers others where the pattern has no groups
  CHECK_FALSE(readsPattern(scene));
  CHECK(takesInput(scene));
  scene.pattern = patternNamed("lsh");
  CHECK(readsPattern(scene));
  scene.view = View::Kernels;
  CHECK_FALSE(readsPattern(scene));
  CHECK_FALSE(takesInput(scene)); // it draws its own Q, K and V
  scene.kernels.loaded = true;
  CHECK_FALSE(readsPattern(scene));
  CHECK(takesInput(scene));
  scene.kernels.picture = KernelsPicture::Ratio; // of two vectors
  CHECK_FALSE(takesInput(scene));
  for (const View view : {View::Timings, View::Encodings, View::Choosing}) {
    scene.view = view;
    scene.choosing.picture = ChoosingPicture::Circle;
    CHECK_FALSE(readsPattern(scene));
    CHECK_FALSE(takesInput(scene));
  }
}

TEST_CASE("controls edit the chosen one of layers with their own patterns") {
  Scene scene;
  scene.view = View::Reach;
  scene.pattern = Full{};
  CHECK(editedName(scene).empty());
  CHECK(editedPattern(scene) == Pattern(Full{}));
  scene.reach.stack = {{"low", Causal{}}, {"high", Strided{4}}};
  scene.reach.chosen = 1;
  CHECK(editedPattern(scene) == Pattern(Strided{4}));
  setEditedPattern(scene, Strided{5});
  CHECK(scene.reach.stack[1] == Panel{"high", Strided{5}});
  scene.mask.panels = {{"", Full{}}}; // of another view
  replaceEditedPattern(scene, Local{3}, "a convention");
  CHECK(scene.reach.stack[1] == Panel{"a convention", Local{3}});
  CHECK(scene.reach.stack[0] == Panel{"low", Causal{}});
  CHECK(scene.pattern == Pattern(Full{}));
  CHECK(scene.mask.panels.size() == 1);
  CHECK(sceneFromText(toText(scene), "scene").scene == scene);
  for (const auto& [chosen, place] : {std::pair(Index{-4}, std::size_t{0}), {99, 1}}) {
    scene.reach.chosen = chosen; // of a damaged file
    CHECK(editedLayer(scene.reach) == place);
    CHECK(editedName(scene) == "layer " + std::to_string(place + 1));
  }
  scene.view = View::Mask;
  CHECK(editedName(scene).empty());
  CHECK(editedPattern(scene) == Pattern(Full{}));
}

TEST_CASE("choosing which layer or compared pattern is edited keeps the words of a figure") {
  Scene figure;
  figure.view = GENERATE(View::Reach, View::Compare);
  figure.caption = "64 cells";
  figure.reach.stack = figure.compare.patterns = {{"one", Causal{}}, {"two", Full{}}};
  Scene edited = figure;
  edited.reach.chosen = edited.compare.chosen = 1;
  dropStaleWords(edited, figure);
  CHECK(edited.caption == "64 cells");
}
