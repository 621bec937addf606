// Where the attention of one model head goes, over all keys and over a pattern's (S13): weights as
// matrices of pixels, and for each query how much of dense attention the pattern keeps, how far its
// output is off, and how spread out both are. The weights come from queries and keys, or are
// ready-made.
#pragma once

#include "core/analysis/metrics.h"
#include "core/attention/weights.h"
#include "core/pattern/coverage.h"
#include "core/support/matrix.h"

#include <memory>
#include <optional>
#include <vector>

namespace attention {

// One model head: q, k and v, or ready weights and perhaps v.
struct HeadData {
  Matrix<float> q;                    // n_q × d
  Matrix<float> k;                    // n_k × d
  Matrix<float> v;                    // n_k × d_v; no columns where there are no values
  AttendOptions scores;               // how scores come from q·k
  std::optional<Matrix<float>> ready; // n_q × n_k, finite and ≥ 0; then q and k are empty
};

// A head over the pattern and over the base that it is measured against, with everything needed to
// compute any weight. Immutable: shared between jobs.
class HeadWeights {
public:
  // Ready weights are cut to the pattern's or the base's keys and normalised again, which is what
  // softmax over these keys gives; rows without any weight stay 0. `base`: nothing for the
  // meaningful one. O(pairs · (d + d_v)). E_SHAPE, E_NONFINITE, E_RANGE (ready weights below 0),
  // Stopped.
  HeadWeights(std::shared_ptr<const Prepared> pattern, std::shared_ptr<const HeadData> head,
              const std::optional<Base>& base = std::nullopt, const Run& run = {});

  const std::shared_ptr<const Prepared>& pattern() const { return pattern_; }
  const std::shared_ptr<const Prepared>& dense() const { return dense_; } // the base's keys
  const std::shared_ptr<const HeadData>& head() const { return head_; }
  const Base& base() const { return base_; }
  AttendOptions options() const;

  // Outputs and lse over the pattern and over the base; empty where weights are ready.
  const Attention<float>& kept() const { return kept_; }
  const Attention<float>& whole() const { return whole_; }

  // Weights over the base's keys, and over the pattern's: the cells of a rectangle. O(cells · d).
  Matrix<float> denseRows(const Rect& cells, const Run& run = {}) const;
  Matrix<float> patternRows(const Rect& cells, const Run& run = {}) const;

private:
  Matrix<float> rowsOf(const Prepared& of, const Attention<float>& result,
                       const WeightKeys<float>* keys, const Rect& cells, const Run& run) const;

  std::shared_ptr<const Prepared> pattern_;
  std::shared_ptr<const HeadData> head_;
  Base base_;
  std::shared_ptr<const Prepared> dense_;
  std::optional<WeightKeys<float>> patternKeys_; // unless weights are ready
  Attention<float> kept_;
  Attention<float> whole_;
};

// Per query. For a row without keys, or without any weight, mass and entropy are 0.
struct QueryMeasures {
  std::vector<double> captured;           // dense attention's mass on the pattern's keys, in [0, 1]
  std::vector<double> error;              // |o_i − o*_i| / |o*_i|; empty without values
  std::vector<double> denseEntropy;       // −Σ p ln p over the base, nats
  std::vector<double> patternEntropy;     // over the pattern
  std::optional<OutputError> outputError; // of all outputs together
};

// O(pairs of the base · d). Stopped.
QueryMeasures queryMeasures(const HeadWeights& of, const Run& run = {});

// The share of all attention that each key receives, over the base's keys and over the pattern's:
// the mean over the queries of the weights on it. They sum to the share of queries that have
// weights.
struct KeyMass {
  std::vector<double> dense;
  std::vector<double> pattern;
};

// O(pairs of the base · d). The same bits at any number of threads. Stopped.
KeyMass keyMass(const HeadWeights& of, const Run& run = {});

// The least and the largest of a measure and their queries, and the mean.
struct MeasureSummary {
  double mean = 0;
  double least = 0;
  double most = 0;
  Index leastAt = 0; // the first such query
  Index mostAt = 0;
};
// Needs at least one value.
MeasureSummary measureSummary(const std::vector<double>& measure);

// Weights per pixel: the largest weight of its cells, and the difference that is largest in size.
struct WeightMaps {
  Lattice lattice;
  Matrix<float> dense;
  Matrix<float> pattern;
  Matrix<float> difference; // pattern − dense
  float top = 0;            // the largest weight of both
  float gap = 0;            // the largest difference in size
  // Where colour ramps of these end: the value that one in kRampBeyond of the nonzero values
  // exceeds, so that a few rows with few keys do not make all others invisible.
  float rampTop = 0;
  float rampGap = 0;
};
constexpr std::size_t kRampBeyond = 500;
// Over the nonzero values, in size; their maximum if there are fewer than kRampBeyond.
float rampEnd(std::vector<float> values);

// O(cells of the lattice · d) time, O(pixels + threads · keys) memory. Stopped.
WeightMaps weightMaps(const HeadWeights& of, const Lattice& lattice, const Run& run = {});

// The input of the softmax (scoring.h) per pixel: the mean over the cells of a pixel, including
// those outside the base. NaN where a pixel has no cell of the base (j > i in causal attention).
// E_UNSUPPORTED: ready weights, since their logits are unknown; Stopped. O((rows + keys) d + pixels
// · d), with a cap or a bias O(cells · d).
Matrix<float> logitMap(const HeadWeights& of, const Lattice& lattice, const Run& run = {});

// The keys with the largest of the weights `dense`, in descending order, ties to the smaller key,
// and what the pattern gives them; keys without any weight are left out.
struct TopKey {
  Index key = 0;
  float dense = 0;
  float pattern = 0;
  bool operator==(const TopKey&) const = default;
};
std::vector<TopKey> topKeys(std::span<const float> dense, std::span<const float> pattern,
                            std::size_t most);

} // namespace attention
