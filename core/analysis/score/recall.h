// Recall of the largest weights: for each query the k keys with the largest softmax weights of a
// base, and how many of them a mechanism finds.
#pragma once

#include "core/analysis/metrics.h"
#include "core/attention/implied_matrix.h"
#include "core/pattern/pattern.h"

#include <memory>
#include <optional>

namespace attention {

// Whether recall looks among the other keys alone: hashing compares tokens with each other, and
// whatever its self rule other than `allow` says (S6), the own key is none that it is to find.
bool leavesOwnKeyOut(const Pattern& pattern);

struct LargestOptions {
  double scale = 1;         // only its sign matters: 0 makes all keys equal
  bool excludeSelf = false; // the token's own key is no candidate
};

// min(k, candidates of the base) keys per query by scale · q·k, ties to the smaller index, as a
// pattern; decided in double. `keys` makes the keys of the queries where it is not plain. O(n² d).
std::shared_ptr<const Prepared> largestKeys(const PatternData& data, const KeyRule& keys,
                                            const Base& base, Index k,
                                            const LargestOptions& options = {},
                                            const Run& run = {});

// Mean of |S_i ∩ T_i| / |T_i| over the queries that have keys in T = `largest`; 1 without any.
double recallOf(const Prepared& pattern, const Prepared& largest, int threads = 0,
                const Run& run = {});

// What the rows of an implied matrix say; sums over its rows.
struct ImpliedSums {
  // Of the |T_i| largest weights of each row, j ≤ i alone where causal; 0 in a row without a finite
  // weight other than zero.
  double recall = 0;
  std::optional<double> entropy = 0.0; // nats; nothing where a weight is negative or not finite
};

// `normalized` rows. O(n²) beyond the rows themselves; the same bits at any number of threads.
template <class T>
ImpliedSums sumsOf(const ImpliedMatrix<T>& matrix, const Prepared& largest, bool causal,
                   int threads = 0, const Run& run = {});

} // namespace attention
