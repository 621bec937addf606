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

TEST_CASE("heads of fixed attention take sub-blocks by turns") {
  const Pattern fixed = fixedOf(Factor::Union, 0);
  const auto merged = headPatterns(fixed, heads(3, false, 2), 32);
  CHECK(merged[0] == Pattern(fixedOf(Factor::Union, 0)));
  CHECK(merged[1] == Pattern(fixedOf(Factor::Union, 1)));
  CHECK(merged[2] == Pattern(fixedOf(Factor::Union, 0)));
  const auto alternate = headPatterns(fixed, heads(4, true, 2), 32);
  CHECK(alternate[0] == Pattern(fixedOf(Factor::First, 0)));
  CHECK(alternate[1] == Pattern(fixedOf(Factor::Second, 0)));
  CHECK(alternate[3] == Pattern(fixedOf(Factor::Second, 1)));
}

TEST_CASE("more sub-blocks than fit into a block and no heads are errors") {
  const Pattern fixed = fixedOf(Factor::Union, 0);
  CHECK_THROWS_AS(headPatterns(fixed, heads(2, true, 5), 32), Error);
  CHECK_THROWS_AS(headPatterns(fixed, heads(0, true), 32), Error);
  CHECK_THROWS_AS(headPatterns(fixed, heads(1000000, true), 32), Error);
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
