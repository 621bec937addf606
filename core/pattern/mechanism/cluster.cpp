#include "core/pattern/mechanism/cluster.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/key_groups.h"
#include "core/pattern/kmeans.h"
#include "core/pattern/similarities.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attention {
namespace {

// What why() reports: the labels, and the distances to the centroids, if any.
struct ClusterFacts {
  Cluster cluster;
  Clustering clustering;
  PatternData data;

  std::string labelled(const char* role, Index token, const std::vector<Index>& labels,
                       const std::shared_ptr<const Matrix<double>>& rows) const {
    const Index label = labels[static_cast<std::size_t>(token)];
    const std::string text =
        std::string(role) + " " + std::to_string(token) + " is in cluster " + std::to_string(label);
    if (clustering.centroids.rows() == 0)
      return text;
    const Matrix<double>& centroids = clustering.centroids;
    std::vector<double> scores(static_cast<std::size_t>(centroids.rows()));
    Matrix<double> row(1, rows->cols());
    for (Index c = 0; c < rows->cols(); ++c)
      row(0, c) = (*rows)(token, c);
    if (cluster.spherical)
      row = unitRows(row);
    const SimilarityScore score =
        cluster.spherical ? SimilarityScore::Dot : SimilarityScore::MinusSquaredDistance;
    Similarities(score, centroids).compute(std::as_const(row).view().row(0), scores);
    const double best = scores[static_cast<std::size_t>(label)];
    return text +
           (cluster.spherical ? " (cos " + readableNumber(best)
                              : " (distance " + readableNumber(std::sqrt(-best))) +
           ")";
  }

  std::string explain(Index i, Index j) const {
    if (cluster.causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    const Index a = clustering.queryLabels[static_cast<std::size_t>(i)];
    const Index b = clustering.keyLabels[static_cast<std::size_t>(j)];
    const std::string both = labelled("query", i, clustering.queryLabels, data.q) + ", " +
                             labelled("key", j, clustering.keyLabels, data.k);
    return (a == b ? "one cluster: " : "different clusters: ") + both;
  }
};

void checkLabels(const IndexList& labels, Index n) {
  if (static_cast<Index>(labels.size()) != n)
    throw Error(ErrorCode::Shape, "labels",
                "labels is a list of length " + std::to_string(labels.size()) +
                    "; it must have length " + std::to_string(n) + ", one per token");
}

// One group per label, in ascending order of labels.
std::map<Index, KeyGroup> groupsOf(const Clustering& clustering) {
  std::map<Index, KeyGroup> groups;
  for (std::size_t i = 0; i < clustering.queryLabels.size(); ++i)
    groups[clustering.queryLabels[i]].queries.push_back(static_cast<Index>(i));
  for (std::size_t j = 0; j < clustering.keyLabels.size(); ++j)
    if (const auto at = groups.find(clustering.keyLabels[j]); at != groups.end())
      at->second.keys.push_back(static_cast<Index>(j));
  return groups;
}

// What clustering has found, for views and files.
std::shared_ptr<const TokenGroups> foundBy(const Clustering& clustering) {
  TokenGroups groups;
  groups.kind = GroupKind::Clusters;
  groups.rounds.push_back(
      {groupedTokens(clustering.queryLabels), groupedTokens(clustering.keyLabels)});
  groups.count = clustering.centroids.rows();
  if (groups.count == 0) // given labels: as many as occur
    groups.count = groups.used(0);
  groups.centroids = clustering.centroids;
  return std::make_shared<const TokenGroups>(std::move(groups));
}

} // namespace

const Description& describe(const Cluster&) {
  static const Description kDescription =
      DescriptionBuilder<Cluster>("cluster", "Clusters", "Content")
          .summary("Queries attend to the keys of their own cluster.")
          .source("Wang et al. 2021 (Cluster-Former); k-means of Lloyd 1982")
          .definition({"Sᵢ = { j : label(kⱼ) = label(qᵢ) }",
                       "labels: k-means over the rows of Q and K together, or of Q where K = Q"})
          .complexity("O(t n k d) to cluster, O(Σ nₘ² d) to attend")
          .chooses(Chooses::Groups)
          .given("labels", "", &Cluster::labels,
                 "The cluster of each token; without it, k-means finds them",
                 ParameterType::Integers, false, [](const Cluster&, Index) { return Bounds{}; })
          .integer("k", "k", &Cluster::k, "Clusters", "",
                   [](const Cluster& c, Index n) {
                     return c.labels || c.centroids ? Bounds{1} : Bounds{1, static_cast<double>(n)};
                   })
          .visibleIf([](const Cluster& c) { return !c.labels && !c.centroids; })
          .integer("iterations", "t", &Cluster::iterations, "Steps of k-means", "", atLeast(0))
          .visibleIf([](const Cluster& c) { return !c.labels; })
          .seed("seed", &Cluster::seed, "Seed that picks the rows at which the centroids start")
          .visibleIf([](const Cluster& c) { return !c.labels && !c.centroids; })
          .given("centroids", "", &Cluster::centroids,
                 "Starting centroids, k × d: a file, or rows [[…], …]; replaces k",
                 ParameterType::Matrix, false, [](const Cluster&, Index) { return Bounds{}; })
          .visibleIf([](const Cluster& c) { return !c.labels; })
          .boolean("spherical", &Cluster::spherical,
                   "Rows and centroids of unit length; nearest is the largest dot product")
          .visibleIf([](const Cluster& c) { return !c.labels; })
          .boolean("causal", &Cluster::causal, causalMeaning())
          .build();
  return kDescription;
}

bool readsData(const Cluster& cluster) {
  return !cluster.labels;
}

void checkLengths(const Cluster& cluster, const Lengths& lengths) {
  if (!lengths.square())
    throw Error(ErrorCode::Unsupported, "cluster",
                "cluster gives every token a label; the mask must be square");
  if (cluster.labels)
    checkLabels(*cluster.labels, lengths.keys);
}

Clustering clusteringOf(const Cluster& cluster, const Lengths& lengths, const PatternData& data,
                        const Run& run, int threads) {
  if (cluster.labels) {
    checkLabels(*cluster.labels, lengths.keys);
    return {{}, cluster.labels->get(), cluster.labels->get()};
  }
  requireData("cluster", lengths, data);
  const Matrix<double> points = pointsOf(data);
  const Matrix<double> initial =
      firstCentroids(points, cluster.centroids, cluster.k, lengths.keys, cluster.seed);
  KMeans found = kMeans(points, initial, {cluster.iterations, cluster.spherical, threads}, run);
  const auto n = static_cast<std::ptrdiff_t>(lengths.keys);
  Clustering clustering{std::move(found.centroids), {}, {}};
  clustering.queryLabels.assign(found.labels.begin(), found.labels.begin() + n);
  clustering.keyLabels.assign(found.labels.end() - n, found.labels.end());
  return clustering;
}

std::shared_ptr<const Prepared> prepared(const Cluster& cluster, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  const auto facts = std::make_shared<const ClusterFacts>(
      ClusterFacts{cluster, clusteringOf(cluster, lengths, data, run), data});
  std::vector<Part> parts;
  std::vector<KeyGroup> groups;
  for (auto& [label, group] : groupsOf(facts->clustering)) {
    groups.push_back(group);
    Part part{std::to_string(label), "cluster " + std::to_string(label),
              cellsOf(std::make_shared<const KeyGroups>(std::span(&group, 1), cluster.causal)),
              [facts](Index i, Index j) { return facts->explain(i, j); }};
    parts.push_back(std::move(part));
  }
  parts.front().order = groupOrder(groups, lengths.keys);
  return std::make_shared<const Prepared>(lengths, std::move(parts), Outputs{}, Parts::Disjoint,
                                          foundBy(facts->clustering));
}

} // namespace attention
