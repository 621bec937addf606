// Recall of the largest weights: for each query the k keys with the largest softmax weights of a
// base, and how many of them a mechanism finds.
#pragma once

#include "core/analysis/metrics.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/scoring.h"
#include "core/pattern/pattern.h"

#include <memory>
#include <optional>

namespace attention {

// Whether recall looks only among the other keys: hashing compares tokens with each other, and
// under every self rule except `allow` (S6) it is not meant to find the query's own key.
bool leavesOwnKeyOut(const Pattern& pattern);

struct LargestOptions {
  Scoring scoring = {};     // without a bias only the sign of the scale matters: 0 makes all equal
  bool excludeSelf = false; // the token's own key is not a candidate
};

// min(k, candidates of the base) keys per query by their scores, ties to the smaller index, as a
// pattern; decided in double. `keys` makes the keys from the queries where it is not plain. O(n²
// d).
std::shared_ptr<const Prepared> largestKeys(const PatternData& data, const KeyRule& keys,
                                            const Base& base, Index k,
                                            const LargestOptions& options = {},
                                            const Run& run = {});

// Mean of |S_i ∩ T_i| / |T_i| over the queries that have keys in T = `largest`; 1 if there are
// none.
double recallOf(const Prepared& pattern, const Prepared& largest, int threads = 0,
                const Run& run = {});

// Measures of the rows of an implied matrix, summed over its rows.
struct ImpliedSums {
  // Recall among the |T_i| largest weights of each row, only j ≤ i where causal; 0 in a row without
  // a finite nonzero weight.
  double recall = 0;
  std::optional<double> entropy = 0.0; // nats; nothing if a weight is negative or not finite
};

// `normalized` rows. O(n²) beyond the rows themselves; the same bits at any number of threads.
template <class T>
ImpliedSums sumsOf(const ImpliedMatrix<T>& matrix, const Prepared& largest, bool causal,
                   int threads = 0, const Run& run = {});

} // namespace attention
