#include "core/analysis/score/method_cost.h"

#include "core/analysis/cost.h"
#include "core/attention/branch_keys.h"
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

// Of mechanisms that group tokens or estimate lines, which have no KeyChoice.
struct Grouping {
  const HeadShape& shape;

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

// Of mechanisms that choose keys, in the pattern and in what it is composed of.
double flopsOfChoices(const Prepared& prepared) {
  if (prepared.choice())
    return prepared.choice()->flops;
  double sum = 0;
  for (const Part& part : prepared.parts())
    if (const auto* composed = std::get_if<Composition>(&part.cells))
      for (const auto& operand : composed->of)
        sum += flopsOfChoices(*operand);
  return sum;
}

// Its keys in whole chunks are counted by S14; whole buckets have none.
const Lsh* chunked(const Pattern& pattern) {
  const auto* lsh = pattern.as<Lsh>();
  return lsh != nullptr && lsh->within != Lsh::Within::Bucket ? lsh : nullptr;
}

} // namespace

Index pairsRead(const Prepared& prepared) {
  if (!prepared.branches())
    return prepared.pairs();
  Index pairs = 0;
  for (const Branch& branch : prepared.branches()->of)
    pairs += BranchKeys<double>(branch, prepared.lengths()).pattern().pairs();
  return pairs;
}

double choosingFlops(const Pattern& pattern, const Prepared& prepared, const HeadShape& shape) {
  return std::visit(Grouping{shape}, pattern.mechanism()) + flopsOfChoices(prepared);
}

double bytesOf(const Pattern& pattern, Index pairs, const HeadShape& shape) {
  if (const auto* lsh = chunked(pattern))
    return sparseBytes(lshCostOf(*lsh, shape).sparse, shape.itemSize);
  return sparseBytes(sparseCost(shape.n, shape.d, shape.dv, pairs), shape.itemSize);
}

MethodCost costOf(const Pattern& pattern, const Prepared& prepared, const HeadShape& shape,
                  Index pairs) {
  if (prepared.branches())
    pairs = pairsRead(prepared);
  const SparseCost sparse = sparseCost(shape.n, shape.d, shape.dv, pairs);
  const auto* lsh = chunked(pattern);
  const double attending = lsh != nullptr ? lshCostOf(*lsh, shape).sparse.flops : sparse.flops;
  return {attending + choosingFlops(pattern, prepared, shape), bytesOf(pattern, pairs, shape),
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
  const SparseCost dense =
      sparseCost(shape.n, shape.d, shape.dv, causal ? triangle(shape.n) : shape.n * shape.n);
  return {dense.flops, sparseBytes(dense, shape.itemSize), dense.matmulFlops};
}

MethodCost costOf(const LinformerMethod& method, const HeadShape& shape) {
  const LinformerCost cost = linformerCost(shape.n, shape.d, shape.dv, method.k);
  const double elements = sparseCost(shape.n, shape.d, shape.dv, 0).ioElements +
                          cost.scoreElements + cost.parameterElements;
  return {cost.flops, elements * static_cast<double>(shape.itemSize), cost.matmulFlops};
}

} // namespace attention
