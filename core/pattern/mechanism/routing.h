// Routing attention (S5.3; Roy et al. 2020): every centroid brings together the queries and the
// keys nearest to it.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Routing {
  Index k = 8;
  std::optional<Index> window; // ⌈n / k⌉
  Index iterations = 10;
  std::uint64_t seed = 0;
  std::optional<MatrixSource> centroids;
  Combine combine = Combine::Union; // or Mean
  bool causal = false;
  bool operator==(const Routing&) const = default;
};

const Description& describe(const Routing&);
bool readsData(const Routing&);

// The routes: for each centroid its queries and its keys, ascending.
struct Routes {
  Matrix<double> centroids; // k × d, of unit length
  std::vector<std::vector<Index>> queries;
  std::vector<std::vector<Index>> keys;
};
// O(iterations · n k d). E_RANGE for k > n, E_SHAPE.
Routes routesOf(const Routing& routing, const Lengths& lengths, const PatternData& data,
                const Run& run, int threads = 0);

// One part per centroid; parts overlap.
std::shared_ptr<const Prepared> prepared(const Routing& routing, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
