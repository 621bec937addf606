// The same query by feature maps, where exp(q·k) becomes an inner product φ(q)·φ(k): linear
// attention (φ = elu + 1; Katharopoulos et al. 2020) and random features (Choromanski et al. 2021).
//
//   a_j = φ(q)·φ(k_j),  numerator = Σ_{j ∈ S} a_j v_j,  denominator = Σ_{j ∈ S} a_j,
//
// and their quotient, or just the numerator where it is not normalised. Multiplied from the right,
// the same sums are φ(q)ᵀ S with S = Σ φ(k_j) v_jᵀ and φ(q)·z with z = Σ φ(k_j), which other
// queries share.
#pragma once

#include "core/analysis/steps/softmax_steps.h"
#include "core/attention/features/feature_map.h"

namespace attention {

struct StepFeatures {
  FeatureOptions map;
  Matrix<double> w; // projections, v × d; empty for elu1
  bool normalized = true;
};

struct FeatureSteps {
  std::vector<Index> visible;    // ascending
  std::vector<double> phiQ;      // m
  std::vector<double> kernel;    // a_j of the visible keys
  std::vector<double> numerator; // d_v
  double denominator = 0;
  std::vector<double> divided; // d_v; zeros where the denominator is 0
  std::vector<double> output;  // this, or the numerator where it is not normalised
  std::vector<double> exact;   // the output of softmax_steps.h
  Matrix<double> state;        // S, m × d_v
  std::vector<double> total;   // z, m
  double orderGap = 0;         // the largest difference between φ(q)ᵀ S and the numerator
};

// For exponential features the scale of the scores goes into queries and keys; elu1 has no scores
// to scale. O(visible · m (d + d_v)). Throws as softmaxSteps and featuresOf; E_UNSUPPORTED:
// a soft cap, a bias or a sink, which only softmax has; E_NONFINITE: features that overflow.
FeatureSteps featureSteps(const StepsInput& input, const StepFeatures& features);

// The sums that other queries share, after each of some visible keys (ascending).
struct RunningSums {
  Matrix<double> total;              // z, keys × m
  std::vector<Matrix<double>> state; // S, as the means of at most `most` × `most` blocks
};
RunningSums runningSums(const StepsInput& input, const StepFeatures& features,
                        std::span<const Index> keys, Index most);

// The means of a matrix over at most `most` × `most` blocks, of sizes that differ by one at most.
Matrix<double> blockMeans(const Matrix<double>& x, Index most);

// φ of some keys, a row for each.
Matrix<double> keyFeatures(const StepsInput& input, const StepFeatures& features,
                           std::span<const Index> keys);

} // namespace attention
