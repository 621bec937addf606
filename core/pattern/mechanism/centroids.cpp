#include "core/pattern/mechanism/centroids.h"

#include "core/pattern/kmeans.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

Matrix<double> givenCentroids(const MatrixSource& given, Index width) {
  if (given.shape.empty())
    throwUnread("centroids", given.file, "numbers");
  if (given.shape.size() != 2 || given.shape[1] != width)
    throw Error(ErrorCode::Shape, "centroids",
                "centroids is an array of " + countText(given.shape.size(), "dimension") +
                    ", the last of length " + std::to_string(given.shape[given.shape.size() - 1]) +
                    "; it must be k × " + std::to_string(width));
  return {given.shape[0], width, given.values.get()};
}

} // namespace

Matrix<double> pointsOf(const PatternData& data) {
  if (data.sharedQk())
    return *data.q;
  std::vector<double> values = data.q->values();
  values.insert(values.end(), data.k->values().begin(), data.k->values().end());
  return {data.q->rows() + data.k->rows(), data.q->cols(), std::move(values)};
}

Matrix<double> firstCentroids(const Matrix<double>& points,
                              const std::optional<MatrixSource>& given, Index k, Index n,
                              std::uint64_t seed) {
  if (given)
    return givenCentroids(*given, points.cols());
  if (k > n)
    throwRange("k", std::to_string(k), "an integer from 1 to n = " + std::to_string(n));
  return initialCentroids(points, k, seed);
}

} // namespace attention
