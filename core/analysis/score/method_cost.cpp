#include "core/analysis/score/method_cost.h"

#include "core/analysis/cost.h"

namespace attention {
namespace {

MethodCost lshMethodCost(const Lsh& lsh, const HeadShape& shape) {
  LshShape hashing{lsh.rounds, 0, chunkOf(lsh, shape.n), lsh.before, lsh.after};
  for (const Index factor : bucketFactorsOf(lsh, shape.n))
    hashing.rotationColumns += factor / 2;
  const LshCost cost = lshCost(shape.n, shape.d, shape.dv, hashing);
  return {cost.sparse.flops + cost.hashFlops + cost.sortComparisons,
          sparseBytes(cost.sparse, shape.itemSize)};
}

} // namespace

MethodCost costOf(const Pattern& pattern, Index pairs, const HeadShape& shape) {
  if (const auto* lsh = std::get_if<Lsh>(&pattern.mechanism))
    if (lsh->within != Lsh::Within::Bucket) // whole buckets have no chunks to count
      return lshMethodCost(*lsh, shape);
  const SparseCost cost = sparseCost(shape.n, shape.d, shape.dv, pairs);
  return {cost.flops, sparseBytes(cost, shape.itemSize)};
}

MethodCost costOf(const FeatureMethod& method, const HeadShape& shape) {
  const Index projections = takesProjections(method.features.map) ? method.projection.rows : 0;
  const RandomFeatureCost cost =
      randomFeatureCost(shape.n, shape.d, shape.dv, projections,
                        featureCount(method.features.map, projections, shape.d));
  const double elements =
      cost.ioElements + cost.featureElements + cost.stateElements + cost.projectionElements;
  return {cost.flops, elements * static_cast<double>(shape.itemSize)};
}

MethodCost costOf(const LinformerMethod& method, const HeadShape& shape) {
  const LinformerCost cost = linformerCost(shape.n, shape.d, shape.dv, method.k);
  const double elements = sparseCost(shape.n, shape.d, shape.dv, 0).ioElements +
                          cost.scoreElements + cost.parameterElements;
  return {cost.flops, elements * static_cast<double>(shape.itemSize)};
}

} // namespace attention
