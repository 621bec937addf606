#include "core/analysis/score/method_cost.h"

#include "core/analysis/cost.h"
#include "core/pattern/mechanism/all.h"

#include <algorithm>
#include <variant>

namespace attention {
namespace {

LshCost lshCostOf(const Lsh& lsh, const HeadShape& shape) {
  LshShape hashing{lsh.rounds, 0, chunkOf(lsh, shape.n), lsh.before, lsh.after};
  for (const Index factor : bucketFactorsOf(lsh, shape.n))
    hashing.rotationColumns += factor / 2;
  return lshCost(shape.n, shape.d, shape.dv, hashing);
}

// Floating point operations to choose keys.
struct Choosing {
  const HeadShape& shape;

  double operator()(const TopK& topk) const {
    const Index n = shape.n;
    return ofScores(
        static_cast<double>((topk.causal ? triangle(n) : n * n) - (topk.excludeSelf ? n : 0)));
  }
  double operator()(const Lsh& lsh) const {
    const LshCost cost = lshCostOf(lsh, shape);
    return cost.hashFlops + cost.sortComparisons;
  }
  double operator()(const Cluster& cluster) const {
    return cluster.labels ? 0 : ofCentroids(cluster.centroids, cluster.k, cluster.iterations + 1);
  }
  double operator()(const Routing& routing) const {
    return ofCentroids(routing.centroids, routing.k,
                       routing.centroids ? 1 : routing.iterations + 1);
  }
  double operator()(const VerticalSlashEstimated& lines) const {
    const Index n = shape.n;
    return ofScores(static_cast<double>(triangle(n) - triangle(n - std::min(lines.lastQ, n))));
  }
  double operator()(const Compose& composed) const {
    double sum = 0;
    for (const Pattern& operand : composed.of)
      sum += std::visit(*this, operand.mechanism());
    return sum;
  }
  double operator()(const Drawn& drawn) const {
    return drawn.on ? std::visit(*this, drawn.on->mechanism()) : 0;
  }
  template <class Other>
  double operator()(const Other&) const {
    return 0;
  }

private:
  // A product of d numbers each.
  double ofScores(double count) const { return 2 * static_cast<double>(shape.d) * count; }

  double ofCentroids(const std::optional<MatrixSource>& given, Index k, Index passes) const {
    const bool read = given && !given->shape.empty();
    const Index centroids = read ? given->shape[0] : k;
    const Index points = shape.sharedQk ? shape.n : 2 * shape.n;
    return ofScores(static_cast<double>(points) * static_cast<double>(centroids) *
                    static_cast<double>(passes));
  }
};

} // namespace

double choosingFlops(const Pattern& pattern, const HeadShape& shape) {
  return std::visit(Choosing{shape}, pattern.mechanism());
}

MethodCost costOf(const Pattern& pattern, Index pairs, const HeadShape& shape) {
  const SparseCost sparse = sparseCost(shape.n, shape.d, shape.dv, pairs);
  if (const auto* lsh = pattern.as<Lsh>())
    if (lsh->within != Lsh::Within::Bucket) { // whole buckets have no chunks to count
      const LshCost cost = lshCostOf(*lsh, shape);
      return {cost.sparse.flops + cost.hashFlops + cost.sortComparisons,
              sparseBytes(cost.sparse, shape.itemSize), sparse.matmulFlops};
    }
  return {sparse.flops + choosingFlops(pattern, shape), sparseBytes(sparse, shape.itemSize),
          sparse.matmulFlops};
}

namespace {

MethodCost featuresCost(const HeadShape& shape, Index projections, Index features) {
  const RandomFeatureCost cost =
      randomFeatureCost(shape.n, shape.d, shape.dv, projections, features);
  const double elements =
      cost.ioElements + cost.featureElements + cost.stateElements + cost.projectionElements;
  return {cost.flops, elements * static_cast<double>(shape.itemSize), cost.matmulFlops};
}

} // namespace

MethodCost costOf(const FeatureMethod& method, const HeadShape& shape) {
  const Index projections = takesProjections(method.features.map) ? method.projection.rows : 0;
  return featuresCost(shape, projections, featureCount(method.features.map, projections, shape.d));
}

MethodCost costOf(const KernelMethod& method, bool causal, const HeadShape& shape) {
  if (method.kernel == Kernel::Elu1 || method.kernel == Kernel::Relu)
    return featuresCost(shape, 0, shape.d);
  return costOf(Pattern(Full{}), causal ? triangle(shape.n) : shape.n * shape.n, shape);
}

MethodCost costOf(const LinformerMethod& method, const HeadShape& shape) {
  const LinformerCost cost = linformerCost(shape.n, shape.d, shape.dv, method.k);
  const double elements = sparseCost(shape.n, shape.d, shape.dv, 0).ioElements +
                          cost.scoreElements + cost.parameterElements;
  return {cost.flops, elements * static_cast<double>(shape.itemSize), cost.matmulFlops};
}

} // namespace attention
