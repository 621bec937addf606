#include "core/pattern/kmeans.h"

#include "core/pattern/largest_scores.h"
#include "core/pattern/similarities.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"
#include "core/support/philox.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace attention {
namespace {

constexpr Index kRows = 64; // a chunk

// The points of every label, ascending.
std::vector<std::vector<Index>> membersOf(const std::vector<Index>& labels, Index k) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(k));
  for (std::size_t point = 0; point < labels.size(); ++point)
    members[static_cast<std::size_t>(labels[point])].push_back(static_cast<Index>(point));
  return members;
}

void moveToMean(const Matrix<double>& points, const std::vector<Index>& members, bool spherical,
                std::span<double> centroid) {
  if (members.empty())
    return;
  std::vector<double> mean(centroid.size());
  for (const Index point : members)
    for (std::size_t c = 0; c < mean.size(); ++c)
      mean[c] += points(point, static_cast<Index>(c));
  double squares = 0;
  for (double& x : mean) {
    x /= static_cast<double>(members.size());
    squares += x * x;
  }
  if (spherical && squares == 0)
    return;
  const double length = spherical ? std::sqrt(squares) : 1.0;
  for (std::size_t c = 0; c < mean.size(); ++c)
    centroid[c] = mean[c] / length;
}

} // namespace

Matrix<double> initialCentroids(const Matrix<double>& points, Index k, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const philox::Stream stream{seed, philox::Purpose::KMeans, 0};
  Matrix<double> centroids(k, points.cols());
  for (Index t = 0; t < k; ++t) {
    const auto at = static_cast<std::uint64_t>(t);
    const auto left = static_cast<std::uint64_t>(points.rows()) - at;
    const std::uint64_t other = at + philox::below(philox::draw(stream, at).a, left);
    std::swap(order[at], order[other]);
    for (Index c = 0; c < points.cols(); ++c)
      centroids(t, c) = points(order[at], c);
  }
  return centroids;
}

std::vector<Index> nearestCentroids(const Matrix<double>& points, const Matrix<double>& centroids,
                                    bool spherical, int threads, const Run& run) {
  const Similarities similarities(
      spherical ? SimilarityScore::Dot : SimilarityScore::MinusSquaredDistance, centroids);
  std::vector<Index> labels(static_cast<std::size_t>(points.rows()));
  const MatrixView<const double> all = points.view();
  parallelFor(ceilDiv(all.rows, kRows), threads, run, [&](Index chunk) {
    const Index first = chunk * kRows;
    const Index count = std::min(kRows, all.rows - first);
    Matrix<double> scores(count, centroids.rows());
    similarities.compute({all.data + first * all.stride, count, all.cols, all.stride}, 0,
                         scores.view());
    for (Index r = 0; r < count; ++r)
      labels[static_cast<std::size_t>(first + r)] =
          largestIndex(std::as_const(scores).view().row(r));
  });
  return labels;
}

KMeans kMeans(const Matrix<double>& given, const Matrix<double>& initial,
              const KMeansOptions& options, const Run& run) {
  const Matrix<double> points = options.spherical ? unitRows(given) : given;
  KMeans result{options.spherical ? unitRows(initial) : initial, {}};
  const Run quiet = run.quiet();
  const auto assign = [&] {
    result.labels =
        nearestCentroids(points, result.centroids, options.spherical, options.threads, quiet);
  };
  for (Index t = 0; t < options.iterations; ++t) {
    const Matrix<double> before = result.centroids;
    assign();
    const auto members = membersOf(result.labels, result.centroids.rows());
    const MatrixView<double> centroids = result.centroids.view();
    parallelFor(centroids.rows, options.threads, quiet, [&](Index c) {
      moveToMean(points, members[static_cast<std::size_t>(c)], options.spherical, centroids.row(c));
    });
    run.report(static_cast<double>(t + 1) / static_cast<double>(options.iterations + 1));
    if (result.centroids == before) // further steps change nothing
      break;
  }
  assign();
  return result;
}

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
