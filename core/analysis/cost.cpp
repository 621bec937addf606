#include "core/analysis/cost.h"

#include <algorithm>

namespace attention {
namespace {

// 128 bits hold every product of the model for n ≤ 2^30.
__extension__ using Wide = __int128;

double rounded(Wide x) {
  return static_cast<double>(x);
}

// ⌈log₂ n⌉ for n ≥ 1.
Index ceilLog2(Index n) {
  Index bits = 0;
  while ((Index{1} << bits) < n)
    ++bits;
  return bits;
}

} // namespace

SparseCost sparseCost(Index n, Index d, Index dv, Index pairs) {
  const Wide p = pairs;
  const Wide products = 2 * p * (Wide{d} + dv);
  return {rounded(products + 5 * p + Wide{n} * dv), rounded(products), rounded(p),
          rounded(Wide{n} * (2 * d + 2 * dv))};
}

double sparseBytes(const SparseCost& cost, Index itemSize) {
  return (cost.scoreElements + cost.ioElements) * static_cast<double>(itemSize);
}

RandomFeatureCost randomFeatureCost(Index n, Index d, Index dv, Index projections, Index features) {
  const Wide rows = n;
  const Wide v = projections;
  const Wide m = features;
  const Wide products = 4 * rows * v * d + 4 * rows * m * dv;
  return {rounded(products + 4 * rows * d + 2 * rows * m + 3 * rows * m + rows * dv),
          rounded(products),
          rounded(m * dv + m),
          rounded(2 * rows * m),
          rounded(v * d),
          rounded(rows * (2 * d + 2 * dv))};
}

LinformerCost linformerCost(Index n, Index d, Index dv, Index k) {
  const Wide cells = Wide{n} * k;
  const Wide products = 4 * cells * (Wide{d} + dv);
  return {rounded(products + 5 * cells + Wide{n} * dv), rounded(products), rounded(cells),
          rounded(2 * cells)};
}

LshCost lshCost(Index n, Index d, Index dv, const LshShape& shape) {
  const Index pairs = shape.rounds * n * shape.chunk * (1 + shape.before + shape.after);
  const Wide hash = 2 * Wide{n} * d * shape.rotationColumns * shape.rounds;
  const Wide comparisons = n > 1 ? Wide{shape.rounds} * n * std::max<Index>(1, ceilLog2(n)) : 0;
  return {sparseCost(n, d, dv, pairs), rounded(hash), rounded(comparisons)};
}

} // namespace attention
