// The feature rows of one matrix, computed a block at a time: the projections by one product, then
// the map row by row.
#pragma once

#include "core/attention/features/feature_map.h"

#include <cmath>

namespace attention {

template <class T>
class FeatureRows {
public:
  // Like featuresOf, which checks.
  FeatureRows(MatrixView<const T> x, const Matrix<double>& w, const FeatureOptions& options,
              FeatureRole role);

  // Finds what the stabiliser subtracts from all rows alike. Call it before the first block.
  void lookOver(int threads, const Run& run);

  Index features() const { return features_; }
  // out: (end − begin) × m.
  void block(Index begin, Index end, MatrixView<T> out) const;

  // For keys whose exponents a stabiliser lowers by a maximum over all of them, without a scan:
  // each block uses the maximum so far (KeySource); also what eps adds to every feature.
  bool leveled() const {
    return exponentials() && role_ == FeatureRole::Key && options_.stabilize != Stabilize::Off;
  }
  void leveledBlock(Index begin, Index end, T& level, MatrixView<T> out) const;
  T added() const { return factor() * static_cast<T>(options_.currentEps()); }

private:
  bool projected() const { return projections_ > 0; }
  bool exponentials() const {
    return options_.map == FeatureMap::Positive || options_.map == FeatureMap::Hyperbolic;
  }
  // w_a·x̄ of the rows in the first columns of `out`.
  void project(Index begin, Index end, MatrixView<T> out) const;
  // h = ‖x̄‖²/2 of row i.
  T halfSquare(Index i) const;
  // The largest exponent of row i, with projections u, in the stabiliser's sense.
  T largest(Index i, const T* u) const;
  void mapRow(Index i, T* u) const;
  void trigRow(Index i, T* u) const;
  void exponentialRow(Index i, T* u) const;
  void fetchAhead(Index i) const;
  // e^{u − h − shift} + eps, times the factor.
  void exponentiateRow(Index i, T* u, T shift, T eps) const;
  T factor() const { return 1 / std::sqrt(static_cast<T>(features_)); } // of exponentials

  MatrixView<const T> x_;
  FeatureOptions options_;
  FeatureRole role_;
  T scale_;               // of x
  Index projections_ = 0; // v
  // Wᵀ times scale_, d × v, in panels of columns stacked one below the other: each panel is
  // contiguous, as products read it.
  Matrix<T> panels_;
  Index features_;
  T shift_ = 0; // subtracted from the exponents of all rows
};

} // namespace attention
