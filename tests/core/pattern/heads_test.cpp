#include "core/pattern/heads.h"
#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/dilated_segments.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/strided.h"

#include "core/support/error.h"

#include "tests/catch.h"

#include <algorithm>

using namespace attention;

TEST_CASE("Strided heads are merged or alternate between the factors", "[heads]") {
  Strided strided;
  strided.stride = 4;
  const auto merged = headPatterns(strided, {3}, 16);
  CHECK(merged == std::vector<Pattern>(3, Pattern(strided)));
  const auto turns = headPatterns(strided, {3, true}, 16);
  CHECK(turns[0].as<Strided>()->head == Factor::First);
  CHECK(turns[1].as<Strided>()->head == Factor::Second);
  CHECK(turns[2].as<Strided>()->head == Factor::First);
}

TEST_CASE("Fixed heads cycle through the sub-blocks", "[heads]") {
  Fixed fixed;
  fixed.stride = 8;
  fixed.columns = 2;
  const auto merged = headPatterns(fixed, {5, false, 4}, 24);
  for (std::size_t h = 0; h < merged.size(); ++h)
    CHECK(merged[h].as<Fixed>()->subblock == static_cast<Index>(h % 4));
  const auto turns = headPatterns(fixed, {4, true, 2}, 24);
  CHECK(turns[1].as<Fixed>()->subblock == 0);
  CHECK(turns[3].as<Fixed>()->subblock == 1);
  Fixed overridden = fixed;
  overridden.subblock = 7; // which is not a sub-block of 8 tokens or of any head
  CHECK(headPatterns(overridden, {5, false, 4}, 24) == merged);
  CHECK_THROWS_AS(headPatterns(fixed, {4, false, 5}, 24), Error);
  CHECK_THROWS_AS(headPatterns(fixed, {4, false, 0}, 24), Error);
}

TEST_CASE("Longformer heads take their dilations and BigBird heads their streams", "[heads]") {
  const auto dilated = headPatterns(Longformer{}, {2, false, 1, {1, 3}}, 24);
  CHECK(dilated[1].as<Longformer>()->dilation == 3);
  CHECK_THROWS_AS(headPatterns(Longformer{}, {3, false, 1, {1, 3}}, 24), Error);
  CHECK(headPatterns(BigBird{}, {3}, 24)[2].as<BigBird>()->head == 2);
  CHECK_THROWS_AS(headPatterns(Causal{}, {0}, 24), Error);
}

TEST_CASE("Parameters that every head has of its own make no difference, and no others",
          "[heads]") {
  Fixed fixed;
  fixed.stride = 8;
  fixed.columns = 2;
  const Pattern segments =
      DilatedSegments{.segments = IndexList{4, 12}, .dilations = IndexList{2, 4}, .heads = 2};
  const HeadOptions options{2, true, 2, {1, 3}};
  const auto changed = [](Pattern pattern, const Parameter& parameter) {
    const Value now = parameter.resolved(pattern, 24);
    if (!parameter.choices.empty())
      parameter.set(pattern, parameter.choices[now == Value(parameter.choices[0].value)].value);
    else if (const Index* number = std::get_if<Index>(&now))
      parameter.set(pattern, *number + parameter.bounds(pattern, 24).step);
    return pattern;
  };
  for (const Pattern& pattern :
       {Pattern(Strided{}), Pattern(fixed), Pattern(Longformer{}), Pattern(BigBird{}), segments}) {
    const auto heads = headPatterns(pattern, options, 24);
    const auto ofHeads = setByHeads(pattern, options);
    for (const Parameter& parameter : description(pattern).parameters) {
      const Pattern other = changed(pattern, parameter);
      if (other == pattern)
        continue;
      INFO(description(pattern).name << " " << parameter.name);
      const bool unread = std::ranges::find(ofHeads, parameter.name) != ofHeads.end();
      CHECK((headPatterns(other, options, 24) == heads) == unread);
    }
  }
}

TEST_CASE("What is drawn on a pattern is drawn on each of its heads and layers", "[heads]") {
  const Stroke column{true, Stroke::Shape::Column, {{3}}};
  const auto on = [](const Pattern& pattern) { return *pattern.as<Drawn>()->on; };
  Strided strided;
  strided.stride = 4;
  const Pattern drawn = withStroke(strided, column);
  const auto turns = headPatterns(drawn, {2, true}, 16);
  CHECK(on(turns[0]).as<Strided>()->head == Factor::First);
  CHECK(on(turns[1]).as<Strided>()->head == Factor::Second);
  CHECK(turns[1].as<Drawn>()->strokes == drawn.as<Drawn>()->strokes);
  CHECK(on(layerPattern(drawn, 1)).as<Strided>()->head == Factor::Second);
  Fixed overridden;
  overridden.stride = 8;
  overridden.columns = 2;
  overridden.subblock = 7;
  const auto fixed = headPatterns(withStroke(overridden, column), {2, false, 2}, 24);
  CHECK(on(fixed[1]).as<Fixed>()->subblock == 1);
  const Pattern longformer = withStroke(Longformer{}, column);
  CHECK(on(headPatterns(longformer, {2, false, 1, {1, 3}}, 24)[1]).as<Longformer>()->dilation == 3);
  CHECK_THROWS_AS(headPatterns(longformer, {2, false, 1, {1}}, 24), Error);
}
