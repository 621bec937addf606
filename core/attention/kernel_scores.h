// Scoring as the float kernels read it: in base 2 and divided by the temperature throughout, which
// changes nothing else, since c tanh(u / c) / T = (c / T) tanh((u / T) / (c / T)).
#pragma once

#include "core/attention/score_bias.h"
#include "core/attention/scoring.h"

#include <vector>

namespace attention {

// Logits of the kernels are log2(e) times those of scoring.h.
constexpr double kLog2E = 1.4426950408889634;

class KernelScores {
public:
  explicit KernelScores(const Scoring& scoring);
  KernelScores(const KernelScores&) = delete; // the bias points into the table
  KernelScores& operator=(const KernelScores&) = delete;

  float scale() const { return scale_; }
  float cap() const { return cap_; } // 0: none
  const ScoreBias* bias() const { return biased_ ? &bias_ : nullptr; }
  // What lse of a query lacks, per token of its place: the term of the bias that all its keys have,
  // which changes no weights and would take digits from the others.
  double perToken() const { return perToken_; }

private:
  float scale_;
  float cap_;
  std::vector<float> table_;
  ScoreBias bias_;
  bool biased_;
  double perToken_ = 0; // in base e
};

} // namespace attention
