// Every mechanism against its plain twin, cell by cell. The laws of family_test.cpp compare rows,
// counts and reasons with contains() of the same code, and a wrong definition passes them; here it
// does not.
#include "core/pattern/mechanism/all.h"
#include "tests/core/pattern/twins/twins.h"

#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <set>

using namespace attention;

namespace {

const auto kMechanisms = static_cast<int>(allMechanisms().size());

// Of the width of the generator's centroids, and without ties.
PatternData drawnData(Index n, std::uint64_t seed) {
  const auto q = randomMatrix<double>(n, 3, seed, 0);
  const auto k = randomMatrix<double>(n, 3, seed, 1);
  return patternData<double>(q.view(), k.view(), n % 3 == 0);
}

void compare(const Prepared& p, const twins::Cells& twin) {
  const Lengths& lengths = p.lengths();
  for (Index i = 0; i < lengths.queries; ++i)
    for (Index j = 0; j < lengths.keys; ++j) {
      const Index token = i + lengths.offset;
      const bool expected = token >= 0 && twin(token, j);
      bool inParts = false;
      for (std::size_t part = 0; part < p.parts().size(); ++part)
        inParts = inParts || p.contains(part, i, j);
      if (p.contains(i, j) != expected || inParts != expected)
        FAIL("cell (" << i << ", " << j << "): the twin says " << expected);
    }
}

std::set<std::string> choicesOf(const Pattern& pattern) {
  std::set<std::string> values;
  for (const Parameter& parameter : description(pattern).parameters) {
    const Value value = parameter.resolved(pattern, 64);
    if (const auto* choice = std::get_if<std::string>(&value))
      if (parameter.type == ParameterType::Choice)
        values.insert(parameter.name + " " + *choice);
    const bool* on = std::get_if<bool>(&value);
    if (on && parameter.type == ParameterType::Boolean)
      values.insert(parameter.name + (*on ? " true" : " false"));
  }
  return values;
}

bool squareOnly(const Pattern& pattern) {
  return !mayBeRectangular(pattern) || needsData(pattern) || pattern.is<GivenMask>() ||
         pattern.is<Cluster>();
}

} // namespace

TEST_CASE("Every mechanism has the cells that its formula says", "[twins]") {
  const int mechanism = GENERATE(range(0, kMechanisms));
  std::set<std::string> seen;
  std::size_t possible = 0;
  for (const Parameter& parameter :
       description(allMechanisms()[static_cast<std::size_t>(mechanism)]).parameters)
    possible += parameter.type == ParameterType::Boolean ? 2 : parameter.choices.size();
  for (int seed = 0; seed < 80; ++seed) {
    Dice dice(100000 + 1000 * mechanism + seed);
    const Index n = seed < 8 ? seed + 1 : dice.within(1, 64);
    const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
    seen.merge(choicesOf(pattern));
    INFO(shortText(pattern) << ", n = " << n << ", seed " << seed);
    const PatternData data = drawnData(n, static_cast<std::uint64_t>(seed));
    compare(*prepare(pattern, squareLengths(n), data), twins::cellsOf(pattern, n, 0, data));
  }
  CHECK(seen.size() == possible); // every layout, head, alignment, and causal or not
}

TEST_CASE("Queries of a rectangular mask have the cells that their token's formula gives",
          "[twins][rectangular]") {
  const int mechanism = GENERATE(range(0, kMechanisms));
  for (int seed = 0; seed < 40; ++seed) {
    Dice dice(300000 + 1000 * mechanism + seed);
    const Index keys = dice.within(1, 32);
    Index queries = dice.within(1, 40);
    const Align align = dice.chance(2) ? Align::TopLeft : Align::BottomRight;
    const auto index = static_cast<std::size_t>(mechanism);
    const int depth = isMadeOfOthers(index) ? 2 : 0;
    const Pattern pattern = randomPattern(dice, index, keys, depth);
    if (squareOnly(pattern))
      continue;
    if (hasLayout(pattern))
      queries = std::min(queries, keys);
    INFO(shortText(pattern) << ", " << queries << " × " << keys << ", seed " << seed);
    const Lengths lengths = alignedLengths(queries, keys, align);
    CHECK(lengths.offset == (align == Align::TopLeft ? 0 : keys - queries));
    compare(*prepare(pattern, lengths), twins::cellsOf(pattern, keys, lengths.offset, {}));
  }
}

TEST_CASE("Given masks keep their rows under either alignment, as pairs and as runs",
          "[twins][rectangular]") {
  const int seed = GENERATE(range(0, 40));
  Dice dice(500000 + seed);
  const Index keys = dice.within(1, 30);
  const Index queries = dice.within(1, keys);
  const Align align = dice.chance(2) ? Align::TopLeft : Align::BottomRight;
  std::set<IndexPair> cells;
  std::vector<QueryRun> runs;
  for (Index i = 0; i < queries; ++i)
    for (Index j = 0; j < keys; ++j) {
      const bool in = dice.chance(2);
      if (!in)
        continue;
      cells.emplace(i, j);
      const bool goesOn = !runs.empty() && runs.back().query == i && runs.back().end == j;
      if (!goesOn)
        runs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), 0});
      runs.back().end = static_cast<std::int32_t>(j + 1);
    }
  GivenMask listed{
      MaskSource{"", queries, keys, std::vector<IndexPair>(cells.begin(), cells.end()), {}}};
  GivenMask read{MaskSource{"mask.npy", queries, keys, {}, std::move(runs), true}};
  for (const GivenMask& given : {listed, read}) {
    const auto p = prepare(given, alignedLengths(queries, keys, align));
    for (Index i = 0; i < queries; ++i)
      for (Index j = 0; j < keys; ++j)
        REQUIRE(p->contains(i, j) == cells.contains({i, j}));
    CHECK(p->pairs() == static_cast<Index>(cells.size()));
  }
}

TEST_CASE("The factors of a merged head are its parts", "[twins]") {
  const int seed = GENERATE(range(0, 60));
  Dice dice(700000 + seed);
  const Index n = dice.within(1, 64);
  for (const char* name : {"strided", "fixed"}) {
    Pattern pattern = randomPattern(dice, patternNamed(name).mechanism().index(), n);
    set(pattern, "head", std::string("union"));
    INFO(shortText(pattern) << ", n = " << n);
    const auto p = prepare(pattern, squareLengths(n));
    REQUIRE(p->parts().size() == 2);
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) {
      set(pattern, "head", std::string(part == 0 ? "1" : "2"));
      const twins::Cells twin = twins::cellsOf(pattern, n, 0, {});
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          REQUIRE(p->contains(part, i, j) == twin(i, j));
    }
  }
}
