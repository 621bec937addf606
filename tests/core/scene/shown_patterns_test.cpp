#include "core/scene/shown_patterns.h"
#include "core/support/error.h"
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

TEST_CASE("heads by turns merge to the union of both factors") {
  Scene scene;
  scene.pattern = fixedOf(Factor::Union, 0);
  scene.mask.heads = heads(4, true);
  scene.mask.heads.shown = HeadsShown::Merged;
  const auto shown = shownPatterns(scene, squareLengths(32));
  REQUIRE(shown.size() == 1);
  CHECK(prepare(shown[0].pattern, squareLengths(32))->pairs() ==
        prepare(scene.pattern, squareLengths(32))->pairs());
}

TEST_CASE("more heads than have room side by side are an error") {
  Scene scene;
  scene.pattern = Causal{};
  scene.mask.heads = heads(kMostHeadsShown + 1, false);
  CHECK_THROWS_AS(shownPatterns(scene, squareLengths(32)), Error);
}

TEST_CASE("heads that are all the same merge to the pattern itself") {
  Scene scene;
  scene.pattern = Causal{};
  scene.mask.heads = heads(4, false);
  scene.mask.heads.shown = HeadsShown::Merged;
  const auto shown = shownPatterns(scene, squareLengths(16));
  REQUIRE(shown.size() == 1);
  CHECK(shown[0].pattern == Pattern(Causal{}));
}

TEST_CASE("panels come before heads and a pattern alone has no title") {
  Scene scene;
  scene.pattern = Strided{};
  CHECK(shownPatterns(scene, squareLengths(16)) == std::vector<Panel>{{"", Strided{}}});
  scene.mask.heads = heads(4, true);
  scene.mask.panels = {{"one", Full{}}, {"two", Causal{}}};
  CHECK(shownPatterns(scene, squareLengths(16)) == scene.mask.panels);
}
