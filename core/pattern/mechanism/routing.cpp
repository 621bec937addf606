#include "core/pattern/mechanism/routing.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/key_groups.h"
#include "core/pattern/kmeans.h"
#include "core/pattern/largest_scores.h"

#include <algorithm>

namespace attention {
namespace {

Index centroidsOf(const Routing& routing) {
  const bool read = routing.centroids && !routing.centroids->shape.empty();
  return read ? std::max<Index>(routing.centroids->shape[0], 1) : std::max<Index>(routing.k, 1);
}

Index windowOf(const Routing& routing, Index n) {
  return std::min(n, routing.window.value_or(ceilDiv(n, centroidsOf(routing))));
}

// For every centroid the w tokens of largest score, ascending.
std::vector<std::vector<Index>> routed(const Matrix<double>& centroids, const Matrix<double>& rows,
                                       Index w, int threads, const Run& run) {
  return largestScores(
      Similarities(SimilarityScore::Dot, rows), centroids.view(), w,
      [&](Index) { return Others{rows.rows()}; }, threads, run);
}

bool holds(const std::vector<Index>& tokens, Index token) {
  return std::binary_search(tokens.begin(), tokens.end(), token);
}

// The centroids that hold both, or those that each is routed to.
std::string explainRoutes(const Routes& routes, Index i, Index j) {
  std::string queries;
  std::string keys;
  for (std::size_t c = 0; c < routes.queries.size(); ++c) {
    const bool query = holds(routes.queries[c], i);
    const bool key = holds(routes.keys[c], j);
    const std::string number = std::to_string(c);
    if (query && key)
      return "centroid " + number + " has query " + std::to_string(i) + " and key " +
             std::to_string(j) + " among the nearest";
    if (query)
      queries += (queries.empty() ? "" : ", ") + number;
    if (key && keys.size() < 60)
      keys += (keys.empty() ? "" : ", ") + number;
  }
  const auto named = [](const std::string& list) {
    return list.empty() ? std::string("no centroid") : "centroids " + list;
  };
  return "query " + std::to_string(i) + " goes to " + named(queries) + ", key " +
         std::to_string(j) + " to " + named(keys);
}

// The first centroid that holds each of n tokens.
std::vector<Index> firstHolding(const std::vector<std::vector<Index>>& tokens, Index n) {
  std::vector<Index> first(static_cast<std::size_t>(n), kNoGroup);
  for (std::size_t c = tokens.size(); c-- > 0;)
    for (const Index token : tokens[c])
      first[static_cast<std::size_t>(token)] = static_cast<Index>(c);
  return first;
}

// What routing has found, for views and files.
std::shared_ptr<const TokenGroups> foundBy(const Routes& routes, Index n) {
  TokenGroups groups;
  groups.kind = GroupKind::Routes;
  groups.count = static_cast<Index>(routes.queries.size());
  groups.rounds.push_back({groupedTokens(firstHolding(routes.queries, n)),
                           groupedTokens(firstHolding(routes.keys, n))});
  groups.centroids = routes.centroids;
  groups.queriesOf = routes.queries;
  groups.keysOf = routes.keys;
  return std::make_shared<const TokenGroups>(std::move(groups));
}

} // namespace

const Description& describe(const Routing&) {
  static const Description kDescription =
      DescriptionBuilder<Routing>("routing", "Routing", "Content")
          .summary("Every centroid brings its nearest queries and its nearest keys together.")
          .source("Roy et al. 2020 (Routing Transformer); lucidrains' routing-transformer")
          .definition({"Sᵢ = ∪ { Kₘ : i in Qₘ }",
                       "Qₘ, Kₘ: the w queries and keys of unit length with the largest μₘ·x"})
          .conventions("Memory keys and the moving average of training are left out. A query near "
                       "no centroid has an empty row.")
          .complexity("O(t n k d) to route, O(k w² d) to attend; O(n¹·⁵ d) for k = √n")
          .chooses(Chooses::Groups)
          .integer("k", "k", &Routing::k, "Centroids", "",
                   [](const Routing& r, Index n) {
                     return r.centroids ? Bounds{1} : Bounds{1, static_cast<double>(n)};
                   })
          .visibleIf([](const Routing& r) { return !r.centroids; })
          .integer("window", "w", &Routing::window, "Queries and keys of each centroid", "tokens",
                   atLeast(1), [](const Routing& r, Index n) { return ceilDiv(n, centroidsOf(r)); })
          .integer("iterations", "t", &Routing::iterations, "Steps of spherical k-means", "",
                   atLeast(0))
          .visibleIf([](const Routing& r) { return !r.centroids; })
          .seed("seed", &Routing::seed, "Seed that picks the rows at which the centroids start")
          .visibleIf([](const Routing& r) { return !r.centroids; })
          .given("centroids", "μ", &Routing::centroids,
                 "The centroids, k × d: a file, or rows [[…], …]; replaces k and k-means",
                 ParameterType::Matrix, false, [](const Routing&, Index) { return Bounds{}; })
          .choice(
              "combine", &Routing::combine, "What a query with several centroids gets",
              {{Combine::Union, "union", "union", "One softmax over the keys of all its centroids"},
               {Combine::Mean, "scatter_mean", "mean",
                "The mean of one softmax per centroid, as in lucidrains' code"}})
          .boolean("causal", &Routing::causal, causalMeaning())
          .build();
  return kDescription;
}

bool readsData(const Routing&) {
  return true;
}

Routes routesOf(const Routing& routing, const Lengths& lengths, const PatternData& data,
                const Run& run, int threads) {
  requireData("routing", lengths, data);
  const Matrix<double> points = unitRows(pointsOf(data));
  Routes routes;
  routes.centroids =
      firstCentroids(points, routing.centroids, routing.k, lengths.keys, routing.seed);
  if (routing.centroids)
    routes.centroids = unitRows(routes.centroids);
  else
    routes.centroids =
        kMeans(points, routes.centroids, {routing.iterations, true, threads}, run).centroids;
  const Index w = windowOf(routing, lengths.keys);
  const Run quiet = run.quiet();
  routes.queries = routed(routes.centroids, unitRows(*data.q), w, threads, quiet);
  routes.keys = data.sharedQk() ? routes.queries
                                : routed(routes.centroids, unitRows(*data.k), w, threads, quiet);
  return routes;
}

std::shared_ptr<const Prepared> prepared(const Routing& routing, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  const auto routes = std::make_shared<const Routes>(routesOf(routing, lengths, data, run));
  std::vector<Part> parts;
  for (std::size_t c = 0; c < routes->queries.size(); ++c) {
    const KeyGroup group{routes->queries[c], routes->keys[c]};
    Part part{std::to_string(c), "centroid " + std::to_string(c),
              cellsOf(std::make_shared<const KeyGroups>(std::span(&group, 1), routing.causal)),
              [routes, causal = routing.causal](Index i, Index j) {
                return causal && j > i
                           ? "key " + std::to_string(j) + " > query " + std::to_string(i)
                           : explainRoutes(*routes, i, j);
              }};
    part.order = groupOrder(std::span(&group, 1), lengths.keys);
    parts.push_back(std::move(part));
  }
  return std::make_shared<const Prepared>(lengths, std::move(parts),
                                          Outputs{routing.combine, {}, {}}, Parts::Overlapping,
                                          foundBy(*routes, lengths.keys));
}

} // namespace attention
