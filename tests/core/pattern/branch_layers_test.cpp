// The branches of a pattern as layers over one square (S22): what only compressed keys cover.
#include "core/pattern/branch_layers.h"
#include "core/pattern/mechanism/nsa.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>

using namespace attention;

namespace {

std::shared_ptr<const Prepared> nsaOf(const Nsa& nsa, Index n) {
  const auto q = randomMatrix<double>(n, 4, 7, 0);
  const auto k = randomMatrix<double>(n, 4, 7, 1);
  return prepare(nsa, squareLengths(n), patternData<double>(q.view(), k.view()));
}

// S22: some compressed key that query i sees stands for key j.
bool covered(const Nsa& nsa, Index n, Index i, Index j) {
  for (Index c = 0; c * nsa.compressStride + nsa.compressBlock <= n; ++c) {
    const Index first = c * nsa.compressStride;
    const Index last = first + nsa.compressBlock - 1;
    if (last <= i && first <= j && j <= last)
      return true;
  }
  return false;
}

} // namespace

TEST_CASE("the layers of NSA are its mask and, below it, what compressed keys stand for",
          "[branches]") {
  const Index n = GENERATE(5, 24, 41);
  const Nsa nsa = GENERATE(Nsa{6, 3, 6, 3, 1, 1, 4}, Nsa{4, 4, 4, 2, 0, 1, 0});
  const auto mask = nsaOf(nsa, n);
  const auto layers = layersOf(mask);
  REQUIRE(layers->parts().size() == 3);
  CHECK(layers->parts()[0].name == "window");
  CHECK(layers->parts()[1].name == "selected");
  CHECK(layers->parts()[2].name == "compressed");
  Index only = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const bool within = covered(nsa, n, i, j);
      REQUIRE(layers->contains(2, i, j) == within);
      REQUIRE(layers->contains(i, j) == (mask->contains(i, j) || within));
      const auto at = layersAt(*mask, i, j);
      REQUIRE(at.size() == (within && !mask->contains(i, j) ? 1U : 0U));
      only += std::ssize(at);
    }
  CHECK(layers->pairs() == mask->pairs() + only);
  CHECK((only > 0 || n == 5));
}

TEST_CASE("hidden layers are left out, the others keep their hues", "[branches]") {
  const auto mask = nsaOf(Nsa{4, 4, 4, 2, 0, 1, 2}, 24);
  const auto all = layersOf(mask);
  for (std::size_t hidden = 0; hidden < 3; ++hidden) {
    const std::vector<std::string> names{all->parts()[hidden].name, "none of these"};
    const auto shown = layersOf(mask, names);
    REQUIRE(shown->parts().size() == 2);
    for (const Part& part : shown->parts()) {
      CHECK(part.name != names.front());
      const auto of = std::find_if(all->parts().begin(), all->parts().end(),
                                   [&](const Part& one) { return one.name == part.name; });
      CHECK(part.hue == of - all->parts().begin());
    }
    for (Index i = 0; i < 24; ++i)
      for (Index j = 0; j < 24; ++j) {
        const auto in = [&](std::size_t part) { return all->contains(part, i, j); };
        CHECK(shown->contains(i, j) == (in((hidden + 1) % 3) || in((hidden + 2) % 3)));
      }
  }
}

TEST_CASE("what weights are is said where softmaxes are added", "[branches]") {
  const Nsa nsa{4, 4, 4, 2, 0, 1, 2};
  const auto standIn = weightSentences(*nsaOf(nsa, 24));
  REQUIRE(standIn.size() == 2);
  CHECK(standIn[0].find("3 softmaxes") != std::string::npos);
  CHECK(standIn[1].find("a stand-in") != std::string::npos);
  Nsa own = nsa;
  own.gates = RealList{0.5, 0.25, 0.75};
  const auto given = weightSentences(*nsaOf(own, 24));
  CHECK(given[1] ==
        "The gates are the same for all queries: compressed 0.5, selected 0.25, window 0.75.");
  CHECK(weightSentences(*prepare(patternNamed("causal"), squareLengths(9))).empty());
  // Of the input, for every query; and compressed keys that are no means.
  const Index n = 8;
  const auto q = randomMatrix<double>(n, 4, 7, 0);
  PatternData data = patternData<double>(q.view(), q.view());
  data.valueColumns = 4;
  data.arrays = {{"gates", {"", {n, 3}, Matrix<double>(n, 3).values()}},
                 {"compressed_k", {"", {2, 4}, Matrix<double>(2, 4).values()}}};
  const auto read = weightSentences(*prepare(nsa, squareLengths(n), data));
  REQUIRE(read.size() == 2);
  CHECK(read[0].find("in no key's weight") != std::string::npos);
  CHECK(read[1] == "Each query has gates of its own, which the input gives.");
}

TEST_CASE("a key that is read only within a compressed key says so", "[branches][why]") {
  const auto mask = nsaOf(Nsa{4, 4, 4, 2, 0, 1, 2}, 24);
  Index found = 0;
  for (Index i = 0; i < 24; ++i)
    for (Index j = 0; j < 24; ++j) {
      const Explanation why = mask->why(i, j);
      CHECK(why.attends == mask->contains(i, j));
      const bool within = !layersAt(*mask, i, j).empty();
      CHECK((why.text.find("; not by itself: ") != std::string::npos) == within);
      found += within ? 1 : 0;
      if (within)
        CHECK(why.text.starts_with("query " + std::to_string(i) + " sees "));
    }
  CHECK(found > 0);
}

TEST_CASE("a pattern without branches is its own layers", "[branches]") {
  const auto causal = prepare(patternNamed("causal"), squareLengths(9));
  CHECK(layersOf(causal) == causal);
  CHECK(layersAt(*causal, 2, 5).empty());
}
