// Lloyd's k-means as specified (S5.2): no early stopping, ties to the smaller index, an empty
// cluster keeps its place. Spherical: rows and centroids of unit length, nearest is the largest dot
// product. The same bits at any number of threads.
#pragma once

#include "core/pattern/pattern_data.h"
#include "core/pattern/value.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attention {

struct KMeans {
  Matrix<double> centroids;  // k × d
  std::vector<Index> labels; // for every point, its nearest centroid
};

struct KMeansOptions {
  Index iterations = 10;
  bool spherical = false;
  int threads = 0; // 0: the machine's
};

// k different rows of the points by a partial shuffle (Fisher and Yates; S9, purpose 8), 1 ≤ k ≤ n.
Matrix<double> initialCentroids(const Matrix<double>& points, Index k, std::uint64_t seed);

// Starts from these centroids, of the points' width. O(iterations · n k d).
KMeans kMeans(const Matrix<double>& points, const Matrix<double>& initial,
              const KMeansOptions& options, const Run& run = {});

// The index of the nearest centroid of every point.
std::vector<Index> nearestCentroids(const Matrix<double>& points, const Matrix<double>& centroids,
                                    bool spherical, int threads, const Run& run);

// ---- what clustering and routing share (S5.2, S5.3) ----

// The points that k-means sees: the rows of Q where queries and keys are shared, else those of Q
// and then those of K.
Matrix<double> pointsOf(const PatternData& data);

// Its starting centroids: the given ones (E_SHAPE for another width, E_TYPE for a file that has not
// been read), or k rows of the points; E_RANGE for k > n.
Matrix<double> firstCentroids(const Matrix<double>& points,
                              const std::optional<MatrixSource>& given, Index k, Index n,
                              std::uint64_t seed);

} // namespace attention
