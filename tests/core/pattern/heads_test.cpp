#include "core/pattern/heads.h"

#include "core/support/error.h"

#include "tests/catch.h"

using namespace attention;

TEST_CASE("Strided heads are merged or take the factors by turns", "[heads]") {
  Strided strided;
  strided.stride = 4;
  const auto merged = headPatterns(strided, {3}, 16);
  CHECK(merged == std::vector<Pattern>(3, Pattern(strided)));
  const auto turns = headPatterns(strided, {3, true}, 16);
  CHECK(std::get<Strided>(turns[0].mechanism).head == Factor::First);
  CHECK(std::get<Strided>(turns[1].mechanism).head == Factor::Second);
  CHECK(std::get<Strided>(turns[2].mechanism).head == Factor::First);
}

TEST_CASE("Fixed heads go round the sub-blocks", "[heads]") {
  Fixed fixed;
  fixed.stride = 8;
  fixed.columns = 2;
  const auto merged = headPatterns(fixed, {5, false, 4}, 24);
  for (std::size_t h = 0; h < merged.size(); ++h)
    CHECK(std::get<Fixed>(merged[h].mechanism).subblock == static_cast<Index>(h % 4));
  const auto turns = headPatterns(fixed, {4, true, 2}, 24);
  CHECK(std::get<Fixed>(turns[1].mechanism).subblock == 0);
  CHECK(std::get<Fixed>(turns[3].mechanism).subblock == 1);
  Fixed overridden = fixed;
  overridden.subblock = 7; // which is no sub-block of 8 tokens, nor any head's
  CHECK(headPatterns(overridden, {5, false, 4}, 24) == merged);
  CHECK_THROWS_AS(headPatterns(fixed, {4, false, 5}, 24), Error);
  CHECK_THROWS_AS(headPatterns(fixed, {4, false, 0}, 24), Error);
}

TEST_CASE("Longformer heads take their dilations and BigBird heads their streams", "[heads]") {
  const auto dilated = headPatterns(Longformer{}, {2, false, 1, {1, 3}}, 24);
  CHECK(std::get<Longformer>(dilated[1].mechanism).dilation == 3);
  CHECK_THROWS_AS(headPatterns(Longformer{}, {3, false, 1, {1, 3}}, 24), Error);
  CHECK(std::get<BigBird>(headPatterns(BigBird{}, {3}, 24)[2].mechanism).head == 2);
  CHECK_THROWS_AS(headPatterns(Causal{}, {0}, 24), Error);
}
