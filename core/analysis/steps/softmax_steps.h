// One query of softmax attention with every intermediate number, in doubles, as one would write it
// on a board:
//
//   u_j = q·k_j,  s_j: u_j with its scale and modifiers (scoring.h),  m = max_{j ∈ S} s_j,
//   e_j = exp(s_j − m),  l = Σ e_j,  p_j = e_j / l,  o = Σ p_j v_j,
//
// S: the keys that the pattern lets the query see. A sink counts in m, and adds exp(sink − m) to l.
//
// Nothing here is fast: a query costs O(n_k (d + d_v)), so that pictures and lectures show exactly
// the reference's numbers (core/attention/reference.h).
#pragma once

#include "core/attention/attend.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

// A query of one model head, and how its scores are made. Views and the pattern must outlive it.
struct StepsInput {
  const Prepared& pattern;
  MatrixView<const double> q; // n_q × d
  MatrixView<const double> k; // n_k × d
  MatrixView<const double> v; // n_k × d_v; no columns: no output
  Index query = 0;
  AttendOptions options = {};
};

// E_RANGE: no such query; E_SHAPE and E_NONFINITE as attend.
void checkSteps(const StepsInput& input);

// One of several softmaxes (outputs.h): it adds `share` times its own output.
struct SoftmaxPart {
  std::vector<Index> keys; // ascending; a key that counts twice occurs twice
  double max = 0;
  double sum = 0;
  double share = 0;
};

struct SoftmaxSteps {
  std::vector<Index> visible; // S, ascending
  // Over all n_k keys.
  std::vector<double> dot;    // of the keys that the pattern uses for logits
  std::vector<double> scaled; // after the scale and all modifiers
  std::vector<double> masked; // the same, −∞ where forbidden
  std::vector<double> exp;    // 0 where forbidden; empty where softmaxes are averaged
  std::vector<double> p;
  // Nothing if there is no key, or where softmaxes are averaged.
  std::optional<double> max;
  std::optional<double> sum;
  std::optional<double> sinkExp;  // what the sink has of the sum, where there is one
  std::vector<double> output;     // d_v; zeros where there is no key
  std::vector<SoftmaxPart> parts; // none if one softmax takes the union
};

// A key that two parts see counts twice where they combine by Lse: exp and p include both. Of a
// pattern with branches, all of them together (gatedSteps in branch_steps.h). Throws as checkSteps,
// and E_NONFINITE: scores beyond float64.
SoftmaxSteps softmaxSteps(const StepsInput& input);

// q·k as sums over `parts` stretches of columns, all but one of equal length; single products where
// d ≤ parts. Their sum is the dot product up to the order of rounding.
std::vector<double> partialProducts(std::span<const double> q, std::span<const double> k,
                                    std::size_t parts);

// The largest difference between two outputs.
double largestGap(std::span<const double> a, std::span<const double> b);

} // namespace attention
