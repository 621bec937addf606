// Patterns at equal cost: the value given to their main parameter, against trying every value.
#include "core/pattern/mechanism/full.h"
#include "core/views/compare/match_pairs.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attention;

namespace {

Index pairsOf(const Pattern& pattern, Index n) {
  return prepare(pattern, squareLengths(n))->pairs();
}

} // namespace

TEST_CASE("no other value of the main parameter gives a number of pairs closer to the one wanted",
          "[scene]") {
  struct Case {
    const char* mechanism;
    const char* params;
    const char* main;
  };
  const Case of = GENERATE(Case{"local", R"({"window": 3, "causal": true})", "window"},
                           Case{"local", R"({"window": 3})", "window"},
                           Case{"sliding_window", R"({"left": 2, "right": 0})", "left"},
                           Case{"strided", R"({"stride": 4})", "stride"},
                           Case{"longformer", R"({"window": 4, "causal": true})", "window"},
                           Case{"sinks", R"({"sinks": 2, "window": 3})", "window"},
                           Case{"block_local", R"({"block_size": 4})", "block_size"});
  const Index n = GENERATE(Index{31}, Index{64});
  const Pattern pattern = patternFrom(of.mechanism, of.params);
  const Parameter* main = mainParameter(pattern);
  REQUIRE(main);
  CHECK(main->name == of.main);
  for (const Index wanted : {n, 3 * n, 8 * n, n * (n + 1) / 2}) {
    const Index got = pairsOf(withPairs(pattern, wanted, squareLengths(n), {}), n);
    const Bounds bounds = main->bounds(pattern, n);
    Index least = std::abs(pairsOf(pattern, n) - wanted);
    for (auto value = static_cast<Index>(bounds.minimum);
         value <= std::min<Index>(n, static_cast<Index>(std::min(bounds.maximum, 1e6)));
         value += bounds.step) {
      Pattern tried = pattern;
      main->set(tried, Value(value));
      least = std::min(least, std::abs(pairsOf(tried, n) - wanted));
    }
    INFO(of.mechanism << " n " << n << " wanted " << wanted);
    CHECK(std::abs(got - wanted) == least);
  }
}

TEST_CASE("patterns without a number to set, or too long to count, are not changed", "[scene]") {
  CHECK(mainParameter(Pattern(Full{})) == nullptr);
  CHECK(withPairs(Pattern(Full{}), 5, squareLengths(9), {}) == Pattern(Full{}));
  const Pattern topk = patternFrom("topk", R"({"k": 3})");
  CHECK(withPairs(topk, 5, squareLengths(9), {}) == topk); // without data
  const Pattern bad = patternFrom("local", R"({"window": 3})");
  CHECK(
      sameMechanism(withPairs(bad, std::numeric_limits<Index>::max(), squareLengths(9), {}), bad));
}

TEST_CASE("patterns that keep their own pairs are named with the reason", "[scene]") {
  CompareSpec spec;
  spec.patterns = {{"", patternFrom("local", R"({"window": 20})")},
                   {"", patternFrom("full", "{}")},
                   {"", patternFrom("topk", R"({"k": 3})")}};
  CHECK(unmatchedText(spec, squareLengths(513)).empty()); // not asked for
  spec.matchPairs = true;
  const std::string full = "(b) has no parameter that sets its pairs.";
  CHECK(unmatchedText(spec, squareLengths(512)) == full);
  CHECK(unmatchedText(spec, squareLengths(513)) ==
        full + " (c) chooses its keys by the data; such patterns are matched up to n = 512.");
  spec.chosen = 1;
  CHECK(unmatchedText(spec, squareLengths(512)).empty());
}

TEST_CASE("the others follow the pairs of the chosen one, which is not changed", "[scene]") {
  Scene scene;
  scene.view = View::Compare;
  scene.compare.patterns = {{"a", patternFrom("local", R"({"window": 20, "causal": true})")},
                            {"b", patternFrom("sliding_window", R"({"left": 3, "right": 0})")},
                            {"c", patternFrom("full", "{}")}};
  const Scene before = scene;
  matchPairs(scene, squareLengths(128), {});
  CHECK(scene == before); // not asked for
  scene.compare.matchPairs = true;
  matchPairs(scene, squareLengths(128), {});
  CHECK(scene.compare.patterns[0] == before.compare.patterns[0]);
  CHECK(scene.compare.patterns[2] == before.compare.patterns[2]);
  CHECK(pairsOf(scene.compare.patterns[1].pattern, 128) ==
        pairsOf(scene.compare.patterns[0].pattern, 128));
  const Scene matched = scene;
  matchPairs(scene, squareLengths(128), {});
  CHECK(scene == matched); // settled
  scene.compare.chosen = 1;
  scene.compare.patterns[1].pattern = patternFrom("sliding_window", R"({"left": 5, "right": 0})");
  matchPairs(scene, squareLengths(128), {});
  CHECK(pairsOf(scene.compare.patterns[0].pattern, 128) ==
        pairsOf(scene.compare.patterns[1].pattern, 128));
}
