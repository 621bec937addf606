// One query of softmax attention with every number on the way, in doubles, as it is written on a
// board:
//
//   u_j = q·k_j,  s_j = cap(scale · u_j),  m = max_{j ∈ S} s_j,  e_j = exp(s_j − m),  l = Σ e_j,
//   p_j = e_j / l,  o = Σ p_j v_j,     S: the keys that the pattern lets the query see.
//
// Nothing here is fast: a query costs O(n_k (d + d_v)), so that pictures and lectures have numbers
// that are the reference's (core/attention/reference.h).
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
  AttendOptions options = {}; // scale and cap
};

// E_RANGE: no such query; E_SHAPE and E_NONFINITE as attend.
void checkSteps(const StepsInput& input);

// One of several softmaxes (outputs.h): what it adds to the output is `share` of its own.
struct SoftmaxPart {
  std::vector<Index> keys; // rising; one that counts twice stands twice
  double max = 0;
  double sum = 0;
  double share = 0;
};

struct SoftmaxSteps {
  std::vector<Index> visible; // S, rising
  // Over all n_k keys.
  std::vector<double> dot;    // of the keys that the pattern makes logits of
  std::vector<double> scaled; // after scale and cap
  std::vector<double> masked; // the same, −∞ where forbidden
  std::vector<double> exp;    // 0 where forbidden; empty where softmaxes are averaged
  std::vector<double> p;
  // Nothing where there is no key, or where softmaxes are averaged.
  std::optional<double> max;
  std::optional<double> sum;
  std::vector<double> output;     // d_v; zeros where there is no key
  std::vector<SoftmaxPart> parts; // none where one softmax takes the union
};

// A key that two parts see counts twice where they combine by Lse: exp and p hold both. Throws as
// checkSteps, and E_NONFINITE: scores beyond float64.
SoftmaxSteps softmaxSteps(const StepsInput& input);

// q·k as sums over `parts` stretches of columns of equal length but for one, each product by itself
// where d ≤ parts. Together they are the dot product, but for the order of rounding.
std::vector<double> partialProducts(std::span<const double> q, std::span<const double> k,
                                    std::size_t parts);

// By how much two outputs differ at most.
double largestGap(std::span<const double> a, std::span<const double> b);

} // namespace attention
