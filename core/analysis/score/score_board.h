// The score board: runs one input through several mechanisms, each measured against dense softmax
// attention (S13) and with its cost (S14). A mechanism is a pattern, attention by random features
// (elu1 is linear attention, positive is FAVOR+), by a general kernel, or Linformer.
//
// Where weights are approximated and no key is left out, a row has no pairs and no captured mass,
// since there is no mask; entropy and recall are those of the implied matrix Â (V = I).
#pragma once

#include "core/analysis/metrics.h"
#include "core/analysis/timing/clock.h"
#include "core/attention/features/feature_map.h"
#include "core/attention/features/projection.h"
#include "core/attention/kernel.h"
#include "core/pattern/pattern.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace attention {

struct FeatureMethod {
  FeatureOptions features;
  Projection projection; // drawn once for all heads; elu1 takes none
  // Only keys j ≤ i, or all. Nothing: on a score board the same as the base it is measured against,
  // else all.
  std::optional<bool> causal = {};
};

// E and F are drawn as in drawLinformer; k may exceed n.
struct LinformerMethod {
  Index k = 64;
  std::uint64_t seed = 0;
};

// D⁻¹ A V with A_ij = K(q_i, k_j); `causal` as for features.
struct KernelMethod {
  Kernel kernel = Kernel::Gaussian;
  std::optional<bool> causal = {};
};

using ScoredMethod = std::variant<Pattern, FeatureMethod, LinformerMethod, KernelMethod>;

// "strided, stride 8"; "given, mask cells.csv"; "positive features, m 64, orthogonal";
// "linformer, k 64"; "gaussian kernel".
std::string methodText(const ScoredMethod& method);
// As named in legends and lists: "Strided, stride 8", "Positive features, m 64", "Linformer, k 64".
std::string methodTitle(const ScoredMethod& method);
// The same without any parameter: "Strided", "Positive features", "Linformer".
std::string methodKindTitle(const ScoredMethod& method);
// The seed it was drawn with; for a composition that of the first operand that draws; nothing where
// nothing is random.
std::optional<std::uint64_t> seedOf(const ScoredMethod& method);

// One model head: q, k: n × d, v: n × d_v; `data` are q and k in double.
template <class T>
struct ScoredHead {
  Matrix<T> q;
  Matrix<T> k;
  Matrix<T> v;
  PatternData data;
  AttendOptions scores = {}; // how they come from q·k
};

// Heads and batch items alike; `load` is called several times per head, from one thread.
template <class T>
struct ScoredInput {
  Index n = 1;
  Index heads = 1;
  std::function<ScoredHead<T>(Index head)> load;
  bool values = true; // whether v are values; else zeros, for costs and times only
};

struct ScoreOptions {
  // What everything is measured against. Nothing: each pattern against its meaningful base, random
  // features against the causal base if there are patterns and all are causal, Linformer against
  // all keys.
  std::optional<Base> base;
  // One per head in place of `base`, where they differ: for layers with masks of their own.
  std::vector<Base> headBases = {};
  Index recallKeys = 10; // k of the recall, ≥ 1
  int threads = 0;
  Clock clock = steadyClock();
};

// Counts, costs and seconds are sums over the heads; captured mass is a mean over heads, recall and
// entropy over rows; the error is over all outputs together. Without values there is no error.
struct Score {
  Base base = Base::Full;
  bool chooses = false; // a pattern that chooses blocks or keys (KeyChoice)
  bool ownKeys = false; // the base uses the pattern's keys, made from the queries (LSH)
  std::optional<Index> pairs;
  std::optional<double> capturedMass;
  std::optional<double> massOfAll;  // where scores have a sink: capturedMass is of what it leaves
  std::optional<OutputError> error; // where there are values
  // Of each query's k keys with the largest weights in the base (ties: smaller index), the share
  // that the pattern attends to, or that is among the k largest of its row of Â. For hashing, only
  // among the other keys (leavesOwnKeyOut in recall.h).
  double recall = 0;
  std::optional<double> entropy; // nats; nothing where Â has negative or non-finite weights
  double flops = 0;              // S14's model
  double bytes = 0;              // S14's elements held, including Q, K, V and O, in T's size
  double prepareSeconds = 0;     // choosing keys or drawing projections
  double seconds = 0;            // the attention itself; for each head the fastest of a few runs
  Index flaggedRows = 0; // without keys, or with a denominator that is zero, negative or not finite
};

inline std::optional<double> relativeError(const Score& score) {
  return score.error ? std::optional(score.error->relativeFrobenius) : std::nullopt;
}
inline std::optional<double> largestError(const Score& score) {
  return score.error ? std::optional(score.error->maxAbs) : std::nullopt;
}

// One score per method, in order; `onScore` is called with each as it comes. O(n² d) per head and
// base for dense attention, O(n² (d + log k)) for the recall, and O(n² m) per approximation. Before
// any work, E_RANGE: recallKeys below 1, parameters out of range, features that approximate exp
// with a scale other than 1/√d; E_UNSUPPORTED: with other modifiers, Linformer with a bias or
// against the causal base.
// Also throws what prepare and attend throw.
template <class T>
std::vector<Score> scoreBoard(
    std::span<const ScoredMethod> methods, const ScoredInput<T>& input, const ScoreOptions& options,
    const std::function<void(std::size_t method, const Score&)>& onScore = {}, const Run& run = {});

// ---- what a board refuses before any work, as far as it can tell ----

// Whether the method is defined for scores made so: features and kernels that stand for exp(q·k /
// √d) fit no others, and Linformer's keys have no position for a bias.
bool suitsScores(const ScoredMethod& method, const AttendOptions& scores, Index d);

// E_RANGE, E_UNSUPPORTED, and what drawing and preparing throw. `head` is one of the input's, of n
// tokens. O(d²).
template <class T>
void checkScored(const ScoredMethod& method, const ScoredHead<T>& head, const ScoreOptions& options,
                 const Run& run);

// ---- the board of ready attention weights ----

// Heads and batch items alike; loaded one at a time.
struct ReadyInput {
  Index n = 1;
  Index heads = 1;
  std::function<Matrix<double>(Index head)> weights;     // n × n, none negative
  std::function<Matrix<double>(Index head)> values = {}; // n × d_v, where there are some
};

// One score per pattern, in order. FLOPs, bytes and seconds are NaN: they belong to attention
// computed from queries and keys. E_UNSUPPORTED: a method that is not a pattern. O(n² log k) per
// head and pattern.
std::vector<Score> readyBoard(std::span<const ScoredMethod> methods, const ReadyInput& input,
                              const ScoreOptions& options, const Run& run = {});

// ---- the Pareto front: points that no other one beats ----

struct CostAndGain {
  double cost = 0;
  double gain = 0;
};

// Indices of the front by ascending cost; of equal points the first. Points that are not finite are
// left out. O(n log n).
std::vector<std::size_t> paretoFront(std::span<const CostAndGain> points);

} // namespace attention
