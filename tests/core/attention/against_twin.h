// Attention in floats against the plain twin in doubles, within a bound on the rounding errors.
#pragma once

#include "core/attention/attend.h"
#include "core/attention/reference.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attention {

inline constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

inline double norm(std::span<const float> x) {
  double sum = 0;
  for (const float value : x)
    sum += static_cast<double>(value) * value;
  return std::sqrt(sum);
}

inline double largestNorm(MatrixView<const float> m) {
  double most = 0;
  for (Index i = 0; i < m.rows; ++i)
    most = std::max(most, norm(m.row(i)));
  return most;
}

inline double largestEntry(const Matrix<float>& m) {
  double most = 0;
  for (const float value : m.values())
    most = std::max(most, static_cast<double>(std::abs(value)));
  return most;
}

// A score is off by at most ε (d + 2) |scale| |q| |k| (rounding of a dot product of d terms, of the
// scaling and of the difference to the maximum), so p by that share and a few ε, twice because of
// the sum; sums of n terms add n ε, in fact far less.
struct Tolerance {
  double score = 0;
  double out = 0;

  // A cap's slope is at most 1, and its own error 6 ε of the capped score. A bias takes part in the
  // sum of products, or is added after the cap; a temperature divides all of it.
  Tolerance(const RandomQkv<float>& in, const Scoring& scoring) {
    const double terms = static_cast<double>(in.q.cols()) + 2;
    // Keys may be made of the queries, of length √d at most where they are scaled.
    const double keys = std::max({largestNorm(in.kView()), largestNorm(in.qView()),
                                  std::sqrt(static_cast<double>(in.q.cols()))});
    const double most = std::abs(scoring.scale) * largestNorm(in.qView()) * keys;
    double bias = 0;
    for (Index i = 0; i < in.q.rows() && !scoring.bias.none(); ++i)
      for (Index j = 0; j < in.k.rows(); ++j)
        bias = std::max(bias, std::abs(scoring.bias.at(i + scoring.offset, j)));
    score = kEpsilon * terms * (most + bias) + 8 * kEpsilon;
    if (scoring.softcap)
      score += 6 * kEpsilon * std::min(most + bias, *scoring.softcap);
    score /= std::min(scoring.temperature, 1.0);
    const double sum = kEpsilon * static_cast<double>(in.k.rows());
    out = (2 * score + sum) * largestEntry(in.v);
    score += sum;
  }
};

inline void checkAgainstTwin(const Prepared& pattern, const RandomQkv<float>& in,
                             const AttendOptions& options = {}) {
  const Attention<float> fast = attend(pattern, in.qView(), in.kView(), in.vView(), options);
  // The same over whatever stood in the result's place.
  Matrix<float> room(in.q.rows(), in.v.cols());
  for (Index i = 0; i < room.rows(); ++i)
    for (Index c = 0; c < room.cols(); ++c)
      room(i, c) = std::numeric_limits<float>::quiet_NaN();
  attendInto(pattern, in.qView(), in.kView(), in.vView(), room.view(), {}, options);
  CHECK(room == fast.out);
  const Matrix<double> q = widened(in.q);
  const Matrix<double> k = widened(in.k);
  const Matrix<double> v = widened(in.v);
  const Attention<double> plain = attendReference(
      pattern, std::as_const(q).view(), std::as_const(k).view(), std::as_const(v).view(), options);
  const Tolerance tolerance(in, scoringOf(options, in.q.cols(), pattern.lengths()));
  REQUIRE(fast.emptyRows == plain.emptyRows);
  double worstOut = 0;
  double worstLse = 0;
  for (Index i = 0; i < in.q.rows(); ++i) {
    for (Index c = 0; c < in.v.cols(); ++c)
      worstOut =
          std::max(worstOut, std::abs(static_cast<double>(fast.out(i, c)) - plain.out(i, c)));
    const auto r = static_cast<std::size_t>(i);
    if (std::isinf(plain.lse[r]))
      CHECK(static_cast<double>(fast.lse[r]) == plain.lse[r]);
    else
      worstLse = std::max(worstLse, std::abs(static_cast<double>(fast.lse[r]) - plain.lse[r]) -
                                        kEpsilon * std::abs(plain.lse[r]));
  }
  CHECK(worstOut <= tolerance.out);
  CHECK(worstLse <= tolerance.score);
}

inline bool sameBits(const Attention<float>& a, const Attention<float>& b) {
  return a.out == b.out && a.lse == b.lse && a.emptyRows == b.emptyRows;
}

} // namespace attention
