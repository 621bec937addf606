#include "tests/core/figure/kernel_facts.h"

#include "core/analysis/feature_ratio.h"
#include "core/views/kernels/scene_kernels.h"

#include <numbers>
#include <stdexcept>

using namespace attention;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

Lengths lengthsIn(const Scene& scene) {
  return lengthsOf(scene.length, 0);
}

ProductOrder orderOf(const Scene& scene, bool matrix) {
  const ProductShapes shapes = productShapes(scene, lengthsIn(scene), nullptr);
  return matrix ? matrixFirst(shapes) : valuesFirst(shapes);
}

KernelSweep sweepOf(const Scene& scene) {
  return kernelSweep(sweepQuestion(scene, lengthsIn(scene)), {});
}

double medianOf(const Scene& scene, const std::vector<std::string>& of) {
  for (const KernelErrorRow& row : sweepOf(scene).result.rows)
    if (name(row.curve.map) == of.at(0) && name(row.curve.projection) == of.at(1) &&
        std::to_string(row.projections) == of.at(2))
      return row.output.median;
  throw std::invalid_argument("no curve is of " + of.at(0));
}

KernelMatrices matricesOf(const Scene& scene) {
  return kernelMatrices(matricesQuestion(scene, lengthsIn(scene)), {});
}

double errorAt(const std::vector<Point>& points, const std::string& rank) {
  for (const Point& point : points)
    if (point.x == std::stod(rank))
      return point.y;
  throw std::invalid_argument("no error is of rank " + rank);
}

double rankError(const Scene& scene, bool best, const std::string& rank) {
  const KernelSpectrum spectrum = kernelSpectrum(spectrumQuestion(scene, lengthsIn(scene)), {});
  if (best)
    return errorAt(spectrum.best, rank);
  for (const RankCurve& curve : spectrum.others)
    if (!curve.estimator)
      return errorAt(curve.points, rank);
  throw std::invalid_argument("no curve is of Linformer");
}

} // namespace

std::optional<double> kernelFact(const Scene& scene, const std::string& name,
                                 const std::vector<std::string>& of) {
  if (name == "order.first")
    return orderOf(scene, true).total();
  if (name == "order.second")
    return orderOf(scene, false).total();
  if (name == "order.even")
    return static_cast<double>(breakEvenLength(productShapes(scene, lengthsIn(scene), nullptr)));
  if (name == "ratio")
    return errorRatio(std::stod(of.at(0)) * kDegree, std::stod(of.at(1)));
  if (name == "error")
    return medianOf(scene, of);
  if (name == "baseline")
    return sweepOf(scene).result.baseline;
  if (name == "matrix.error")
    return matricesOf(scene).relativeError;
  if (name == "negative.rows")
    return static_cast<double>(matricesOf(scene).negativeRows);
  if (name == "best" || name == "linformer")
    return rankError(scene, name == "best", of.at(0));
  return std::nullopt;
}
