// What clustering and routing share: the points that k-means sees, and its starting centroids
// (S5.2, S5.3).
#pragma once

#include "core/pattern/pattern_data.h"
#include "core/pattern/value.h"

#include <cstdint>
#include <optional>

namespace attention {

// The rows of Q where queries and keys are shared, else those of Q and then those of K.
Matrix<double> pointsOf(const PatternData& data);

// The given centroids (E_SHAPE for another width, E_TYPE for a file that has not been read), or k
// rows of the points; E_RANGE for k > n.
Matrix<double> firstCentroids(const Matrix<double>& points,
                              const std::optional<MatrixSource>& given, Index k, Index n,
                              std::uint64_t seed);

} // namespace attention
