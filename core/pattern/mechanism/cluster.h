// Queries attend to the keys of their own cluster (S5.2; the lecture notes' "if Q = K, can cluster
// queries into groups").
#pragma once

#include "core/pattern/kmeans.h"
#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Cluster {
  std::optional<IndexList> labels; // given; else k-means
  Index k = 8;
  Index iterations = 10;
  std::uint64_t seed = 0;
  std::optional<MatrixSource> centroids; // given initial ones; their number replaces k
  bool spherical = false;
  bool causal = false;
  bool operator==(const Cluster&) const = default;
};

const Description& describe(const Cluster&);
bool readsData(const Cluster& cluster); // not with given labels

void checkLengths(const Cluster& cluster, const Lengths& lengths);

// The clustering: the centroids after the last iteration, and the labels of queries and keys.
struct Clustering {
  Matrix<double> centroids; // k × d; none with given labels
  std::vector<Index> queryLabels;
  std::vector<Index> keyLabels;
};
// O(iterations · n k d). E_RANGE for k > n, E_SHAPE.
Clustering clusteringOf(const Cluster& cluster, const Lengths& lengths, const PatternData& data,
                        const Run& run, int threads = 0);

// One part per centroid that has a query.
std::shared_ptr<const Prepared> prepared(const Cluster& cluster, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
