// The sentence about a pattern that is slower than its pairs suggest.
#include "core/views/timings/scene_timings.h"

#include "core/analysis/tiles/tile_counts.h"
#include "core/pattern/mechanism/all.h"
#include "tests/catch.h"

using namespace attention;

namespace {

TimingRow row(std::size_t method, Index n, Index pairs, double seconds) {
  TimingRow made;
  made.method = method;
  made.n = n;
  made.seconds.median = seconds;
  made.work.pairs = pairs;
  return made;
}

} // namespace

TEST_CASE("a pattern that takes longer than its pairs suggest is explained by its tiles") {
  const Pattern strided = patternNamed("strided");
  const std::vector<ScoredMethod> methods{Pattern(Full{}), strided};
  const std::vector<std::string> names{"Full", "Strided"};
  const Index n = 1024;
  const auto prepared = prepare(strided, squareLengths(n));
  Timings timings;
  timings.rows = {row(0, n, n * n, 1), row(1, n, prepared->pairs(), 0.5)};
  const auto said = tileCostSentence(timings, methods, names);
  REQUIRE(said);
  const TileCounts tiles = countTiles(*prepared, {128, 128});
  CHECK(said->find("takes 50 % of the time of full attention but has only ") != std::string::npos);
  CHECK(said->find(std::to_string(tiles.full) + " full and ") != std::string::npos);
  CHECK(said->find(std::to_string(tiles.partial) + " partial 128 × 128 tiles") !=
        std::string::npos);

  timings.rows[1].seconds.median =
      1.4 * static_cast<double>(prepared->pairs()) / static_cast<double>(n * n);
  CHECK_FALSE(tileCostSentence(timings, methods, names)); // as fast as its pairs suggest
  timings.rows = {row(1, n, prepared->pairs(), 0.5)};
  CHECK_FALSE(tileCostSentence(timings, methods, names)); // without dense attention
}
