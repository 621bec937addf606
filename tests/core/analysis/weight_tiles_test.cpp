// Tiles over weights: what lies in each, against the weights themselves.
#include "core/analysis/tiles/weight_tiles.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

#include <numeric>

using namespace attention;

namespace {

HeadWeights weightsOf(Index n, const char* pattern) {
  const RandomQkv<float> in(n, n, 4, 3, 9);
  HeadData data;
  data.q = in.q;
  data.k = in.k;
  data.v = in.v;
  return {prepare(patternNamed(pattern), squareLengths(n)),
          std::make_shared<const HeadData>(std::move(data)), Base::Causal};
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

TEST_CASE("the mass of a tile is the sum of its weights over all queries", "[tiles]") {
  const Index n = 37;
  const HeadWeights of = weightsOf(n, "strided");
  const BlockSize block{8, 5};
  const TileGrid grid = tileGrid({0, n, 0, n}, of.pattern()->lengths(), block, 64);
  const WeightTiles tiles = weightTiles(of, grid);
  const Matrix<float> dense = of.denseRows({0, n, 0, n});
  const Matrix<float> kept = of.patternRows({0, n, 0, n});
  std::size_t at = 0;
  for (Index r = 0; r < n; r += block.queries)
    for (Index c = 0; c < n; c += block.keys, ++at) {
      double expected = 0;
      double expectedKept = 0;
      for (Index i = r; i < std::min(r + block.queries, n); ++i)
        for (Index j = c; j < std::min(c + block.keys, n); ++j) {
          expected += static_cast<double>(dense(i, j));
          expectedKept += static_cast<double>(kept(i, j));
        }
      REQUIRE(at < tiles.dense.size());
      CHECK(tiles.dense[at] == Approx(expected / static_cast<double>(n)).margin(1e-9));
      CHECK(tiles.pattern[at] == Approx(expectedKept / static_cast<double>(n)).margin(1e-9));
    }
  CHECK(at == tiles.dense.size());
  CHECK(sum(tiles.dense) == Approx(1).epsilon(1e-5));
  CHECK(sum(tiles.pattern) == Approx(1).epsilon(1e-5));
  CHECK(denseMassIn(tiles, TileKind::Full) + denseMassIn(tiles, TileKind::Partial) +
            denseMassIn(tiles, TileKind::Empty) ==
        Approx(sum(tiles.dense)));
}

TEST_CASE("empty tiles have nothing through the pattern, and what it loses", "[tiles]") {
  const Index n = 32;
  const HeadWeights of = weightsOf(n, "local");
  const TileGrid grid = tileGrid({0, n, 0, n}, of.pattern()->lengths(), {4, 4}, 64);
  const WeightTiles tiles = weightTiles(of, grid);
  Index empty = 0;
  for (std::size_t k = 0; k < tiles.dense.size(); ++k)
    if (tiles.layer.kinds[k] == TileKind::Empty) {
      CHECK(tiles.pattern[k] == 0);
      ++empty;
    }
  CHECK((empty > 0 || of.pattern()->pairs() == n * n));
}

TEST_CASE("tiles of a part of the weights are those of the whole", "[tiles]") {
  const Index n = 40;
  const HeadWeights of = weightsOf(n, "causal");
  const Lengths& lengths = of.pattern()->lengths();
  const WeightTiles whole = weightTiles(of, tileGrid({0, n, 0, n}, lengths, {8, 8}, 64));
  const WeightTiles part = weightTiles(of, tileGrid({17, 30, 3, 20}, lengths, {8, 8}, 64));
  const Lattice& seen = part.layer.grid.lattice;
  for (Index r = 0; r < seen.rows(); ++r)
    for (Index c = 0; c < seen.cols(); ++c) {
      const Index row = seen.rowEdges[static_cast<std::size_t>(r)] / 8;
      const Index column = seen.keyEdges[static_cast<std::size_t>(c)] / 8;
      CHECK(part.dense[static_cast<std::size_t>(r * seen.cols() + c)] ==
            whole.dense[static_cast<std::size_t>(row * 5 + column)]);
    }
}
