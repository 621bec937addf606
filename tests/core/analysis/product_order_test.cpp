#include "core/analysis/product_order.h"

#include "core/analysis/cost.h"
#include "tests/catch.h"

using namespace attention;

TEST_CASE("both orders of multiplication count what the cost model counts") {
  const Index n = GENERATE(1, 7, 64, 4096);
  const Index m = GENERATE(1, 32, 500);
  const Index dv = GENERATE(1, 16, 129);
  const ProductShapes shapes{n, m, dv, false};
  const SparseCost whole = sparseCost(n, m, dv, n * n);
  CHECK(2 * matrixFirst(shapes).total() == whole.matmulFlops);
  CHECK(matrixFirst(shapes).between == whole.scoreElements);
  // With projections as wide as the values; the multiplications for the features cancel.
  const RandomFeatureCost linear = randomFeatureCost(n, 3, dv, 5, m);
  CHECK(2 * valuesFirst(shapes).total() == linear.matmulFlops - 4 * static_cast<double>(n * 5 * 3));
  const ProductShapes causal{n, m, dv, true};
  CHECK(2 * matrixFirst(causal).total() == sparseCost(n, m, dv, n * (n + 1) / 2).matmulFlops);
  CHECK(valuesFirst(causal).total() == valuesFirst(shapes).total());
}

TEST_CASE("values first is cheaper from the break-even length on and not below it") {
  const Index m = GENERATE(1, 16, 100, 256);
  const Index dv = GENERATE(1, 16, 64);
  const bool causal = GENERATE(false, true);
  const Index from = breakEvenLength({1, m, dv, causal});
  const auto saves = [&](Index n) {
    const ProductShapes shapes{n, m, dv, causal};
    return valuesFirst(shapes).total() < matrixFirst(shapes).total();
  };
  for (const Index n : {from, from + 1, 10 * from})
    CHECK(saves(n));
  for (Index n = 1; n < from; ++n)
    CHECK_FALSE(saves(n));
}
