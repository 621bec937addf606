// The cost model written out from the table of S14, over random sizes.
#include "core/analysis/cost.h"

#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

TEST_CASE("Costs are those of the table for any sizes", "[cost][twins]") {
  for (int seed = 0; seed < 200; ++seed) {
    Dice dice(40000 + seed);
    const Index n = dice.within(1, 3000);
    const Index d = dice.within(1, 200);
    const Index dv = dice.within(1, 200);
    const Index P = dice.within(0, n * n);
    const auto is = [](double found, Index expected) {
      return found == static_cast<double>(expected);
    };
    const SparseCost sparse = sparseCost(n, d, dv, P);
    CHECK(is(sparse.flops, 2 * P * d + 5 * P + 2 * P * dv + n * dv));
    CHECK(is(sparse.matmulFlops, 2 * P * d + 2 * P * dv));
    CHECK(is(sparse.scoreElements, P));
    CHECK(is(sparse.ioElements, n * (2 * d + 2 * dv)));
    CHECK(is(sparseBytes(sparse, 8), 8 * (P + n * (2 * d + 2 * dv))));

    const Index v = dice.within(1, 300);
    const Index m = dice.chance(2) ? v : 2 * v;
    const RandomFeatureCost features = randomFeatureCost(n, d, dv, v, m);
    CHECK(is(features.flops,
             4 * n * v * d + 4 * n * d + 2 * n * m + 4 * n * m * dv + 3 * n * m + n * dv));
    CHECK(is(features.matmulFlops, 4 * n * v * d + 4 * n * m * dv));
    CHECK(is(features.featureElements + features.stateElements + features.projectionElements,
             2 * n * m + m * dv + m + v * d));
    CHECK(is(features.ioElements, n * (2 * d + 2 * dv)));

    const Index k = dice.within(1, n);
    const LinformerCost linformer = linformerCost(n, d, dv, k);
    CHECK(is(linformer.flops,
             2 * k * n * (d + dv) + 2 * n * k * d + 5 * n * k + 2 * n * k * dv + n * dv));
    CHECK(is(linformer.matmulFlops, 2 * k * n * (d + dv) + 2 * n * k * d + 2 * n * k * dv));
    CHECK(is(linformer.scoreElements, n * k));
    CHECK(is(linformer.parameterElements, 2 * k * n));

    const LshShape shape{dice.within(1, 8), dice.within(1, 64), dice.within(1, 64),
                         dice.within(0, 3), dice.within(0, 3)};
    const LshCost lsh = lshCost(n, d, dv, shape);
    const Index pairs = shape.rounds * n * shape.chunk * (1 + shape.before + shape.after);
    CHECK(is(lsh.sparse.scoreElements, pairs));
    CHECK(is(lsh.sparse.flops, 2 * pairs * d + 5 * pairs + 2 * pairs * dv + n * dv));
    CHECK(is(lsh.hashFlops, 2 * n * d * shape.rotationColumns * shape.rounds));
    Index halvings = 0; // of n tokens, rounded up
    for (Index left = n; left > 1; left = (left + 1) / 2)
      ++halvings;
    CHECK(is(lsh.sortComparisons, shape.rounds * n * halvings));
  }
}
