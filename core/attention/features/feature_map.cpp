#include "core/attention/features/feature_map.h"

#include "core/attention/features/feature_rows.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"
#include "core/support/products.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace attention {
namespace {

constexpr std::array<std::string_view, 6> kMaps{"trig",       "gaussian_trig", "positive",
                                                "hyperbolic", "relu",          "elu1"};
constexpr std::array<std::string_view, 3> kStabilizers{"off", "reference", "robust"};
constexpr Index kMapBlock = 64;

void checkProjection(const Matrix<double>& w, FeatureMap map, Index d) {
  if (w.rows() == 0) {
    if (map != FeatureMap::Elu1 && map != FeatureMap::Relu)
      throw Error(ErrorCode::Type, "W",
                  "W is missing; give projections for " + std::string(name(map)) + " features");
    return;
  }
  if (map != FeatureMap::Elu1 && w.cols() != d)
    throw Error(ErrorCode::Shape, "W",
                "W has " + countText(w.cols(), "column") + "; it must have the " +
                    std::to_string(d) + " of Q and K");
  for (const double x : w.values())
    if (!std::isfinite(x))
      throw Error(ErrorCode::NonFinite, "W", "W has a number that is not finite");
}

} // namespace

std::span<const std::string_view> featureMapNames() {
  return kMaps;
}

std::string_view name(FeatureMap map) {
  return kMaps[static_cast<std::size_t>(map)];
}

std::string_view name(Stabilize stabilize) {
  return kStabilizers[static_cast<std::size_t>(stabilize)];
}

FeatureMap featureMapNamed(std::string_view name) {
  const auto at = std::find_if(kMaps.begin(), kMaps.end(),
                               [&](std::string_view map) { return sameName(map, name); });
  if (at == kMaps.end())
    throw Error(ErrorCode::Unknown, "features",
                "features \"" + std::string(name) + "\" are unknown" +
                    nearestHint(name, std::vector<std::string>(kMaps.begin(), kMaps.end())) +
                    "; it must be one of trig, gaussian_trig, positive, hyperbolic, relu, elu1");
  return static_cast<FeatureMap>(at - kMaps.begin());
}

Stabilize stabilizeNamed(std::string_view name) {
  const auto at = std::find(kStabilizers.begin(), kStabilizers.end(), name);
  if (at == kStabilizers.end())
    throwRange("stabilize", "\"" + std::string(name) + "\"", "off, reference or robust");
  return static_cast<Stabilize>(at - kStabilizers.begin());
}

bool takesProjections(FeatureMap map) {
  return map != FeatureMap::Elu1;
}

bool takesStabiliser(FeatureMap map) {
  return map == FeatureMap::Trig || map == FeatureMap::Positive || map == FeatureMap::Hyperbolic;
}

bool takesEps(FeatureMap map) {
  return map == FeatureMap::Positive || map == FeatureMap::Hyperbolic || map == FeatureMap::Relu;
}

Index featureCount(FeatureMap map, Index projections, Index d) {
  switch (map) {
  case FeatureMap::Trig:
  case FeatureMap::GaussianTrig:
  case FeatureMap::Hyperbolic:
    return 2 * projections;
  case FeatureMap::Positive:
    return projections;
  case FeatureMap::Relu:
    return projections > 0 ? projections : d;
  case FeatureMap::Elu1:
    return d;
  }
  return 0;
}

void checkEps(double eps) {
  if (!std::isfinite(eps))
    throw Error(ErrorCode::NonFinite, "eps",
                "eps is not finite; it must be a number of at least 0");
  if (eps < 0)
    throwRange("eps", std::to_string(eps), "a number of at least 0");
}

template <class T>
FeatureSource<T> featuresOf(MatrixView<const T> x, const Matrix<double>& w,
                            const FeatureOptions& options, FeatureRole role, int threads,
                            const Run& run) {
  checkEps(options.currentEps());
  checkProjection(w, options.map, x.cols);
  const auto rows = std::make_shared<FeatureRows<T>>(x, w, options, role);
  rows->lookOver(threads, run);
  return {x.rows, rows->features(),
          [rows](Index begin, Index end, MatrixView<T> out) { rows->block(begin, end, out); }};
}

template <class T>
KeySource<T> keyFeaturesOf(MatrixView<const T> x, const Matrix<double>& w,
                           const FeatureOptions& options, int threads, const Run& run) {
  checkEps(options.currentEps());
  checkProjection(w, options.map, x.cols);
  const auto rows = std::make_shared<FeatureRows<T>>(x, w, options, FeatureRole::Key);
  if (!rows->leveled()) {
    rows->lookOver(threads, run);
    return {x.rows, rows->features(), false, 0,
            [rows](Index begin, Index end, T& level, MatrixView<T> out) {
              level = 0;
              rows->block(begin, end, out);
            }};
  }
  return {x.rows, rows->features(), true, rows->added(),
          [rows](Index begin, Index end, T& level, MatrixView<T> out) {
            rows->leveledBlock(begin, end, level, out);
          }};
}

template <class T>
void writeFeatures(const FeatureSource<T>& source, MatrixView<T> out, int threads, const Run& run) {
  parallelFor(ceilDiv(source.rows, kMapBlock), threads, run, [&](Index b) {
    const Index end = std::min((b + 1) * kMapBlock, source.rows);
    source.block(b * kMapBlock, end, rowsOf(out, b * kMapBlock, end));
  });
}

template <class T>
Matrix<T> featureMatrix(const FeatureSource<T>& source, int threads, const Run& run) {
  Matrix<T> all(source.rows, source.features);
  writeFeatures(source, all.view(), threads, run);
  return all;
}

template FeatureSource<float> featuresOf(MatrixView<const float>, const Matrix<double>&,
                                         const FeatureOptions&, FeatureRole, int, const Run&);
template FeatureSource<double> featuresOf(MatrixView<const double>, const Matrix<double>&,
                                          const FeatureOptions&, FeatureRole, int, const Run&);
template KeySource<float> keyFeaturesOf(MatrixView<const float>, const Matrix<double>&,
                                        const FeatureOptions&, int, const Run&);
template KeySource<double> keyFeaturesOf(MatrixView<const double>, const Matrix<double>&,
                                         const FeatureOptions&, int, const Run&);
template void writeFeatures(const FeatureSource<float>&, MatrixView<float>, int, const Run&);
template void writeFeatures(const FeatureSource<double>&, MatrixView<double>, int, const Run&);
template Matrix<float> featureMatrix(const FeatureSource<float>&, int, const Run&);
template Matrix<double> featureMatrix(const FeatureSource<double>&, int, const Run&);

} // namespace attention
