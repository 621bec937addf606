// Patterns that depend on the data against their plain definitions (S5).
#include "core/pattern/coverage.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/mechanism/vertical_slash.h"
#include "core/pattern/mechanism/vertical_slash_estimated.h"
#include "core/pattern/pattern.h"
#include "core/pattern/similarities.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <cmath>
#include <limits>

using namespace attention;

namespace {

PatternData normalData(Index n, Index d, std::uint64_t seed, bool shared = false) {
  const auto q = randomMatrix<double>(n, d, seed, 0);
  const auto k = randomMatrix<double>(n, d, seed, 1);
  return patternData<double>(q.view(), k.view(), shared);
}

double dot(const Matrix<double>& a, Index i, const Matrix<double>& b, Index j) {
  double sum = 0;
  for (Index c = 0; c < a.cols(); ++c)
    sum += a(i, c) * b(j, c);
  return sum;
}

double scoreOf(TopK::Metric metric, const Matrix<double>& q, Index i, const Matrix<double>& k,
               Index j) {
  if (metric == TopK::Metric::Dot)
    return dot(q, i, k, j);
  if (metric == TopK::Metric::Cosine) {
    const double a = std::sqrt(dot(q, i, q, i));
    const double b = std::sqrt(dot(k, j, k, j));
    double sum = 0;
    for (Index c = 0; c < q.cols() && a > 0 && b > 0; ++c)
      sum += q(i, c) / a * (k(j, c) / b);
    return a > 0 && b > 0 ? sum : 0.0;
  }
  double sum = 0;
  for (Index c = 0; c < q.cols(); ++c)
    sum -= (q(i, c) - k(j, c)) * (q(i, c) - k(j, c));
  return sum;
}

// j is chosen where fewer than k candidates come before it.
bool chosen(const TopK& topk, const PatternData& data, Index i, Index j) {
  const auto candidate = [&](Index c) {
    return (!topk.causal || c <= i) && (!topk.excludeSelf || c != i);
  };
  if (!candidate(j))
    return false;
  const double score = scoreOf(topk.metric, *data.q, i, *data.k, j);
  Index before = 0;
  for (Index c = 0; c < data.k->rows(); ++c) {
    const double other = scoreOf(topk.metric, *data.q, i, *data.k, c);
    before += candidate(c) && (other > score || (other == score && c < j)) ? 1 : 0;
  }
  return before < topk.k;
}

ErrorCode errorCodeOf(const Pattern& pattern, Index n, const PatternData& data) {
  try {
    prepare(pattern, squareLengths(n), data);
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("no error");
  return ErrorCode::N;
}

} // namespace

TEST_CASE("Top k takes the keys of the largest scores and ties go to the smaller index",
          "[content]") {
  const Index n = GENERATE(1, 2, 9, 33, 300);
  Dice dice(static_cast<int>(n));
  for (int repeat = 0; repeat < (n > 100 ? 1 : 12); ++repeat) {
    const PatternData data = randomData(n);
    TopK topk;
    topk.k = dice.within(0, std::min<Index>(n + 2, 12));
    topk.metric = static_cast<TopK::Metric>(dice.within(0, 2));
    topk.causal = dice.chance(2);
    topk.excludeSelf = dice.chance(2);
    INFO(shortText(Pattern(topk)) << ", n = " << n);
    const auto p = prepare(topk, squareLengths(n), data);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        REQUIRE(p->contains(i, j) == chosen(topk, data, i, j));
  }
}

TEST_CASE("Scores that cancel are ties at every angle", "[content]") {
  PatternData data;
  Matrix<double> rows(4, 2);
  const double entries[4][2] = {{-1, -1}, {2, 2}, {-1, 1}, {2, -2}}; // 2 and 3 are at right angles
  for (Index i = 0; i < 4; ++i)
    for (Index c = 0; c < 2; ++c)
      rows(i, c) = entries[i][c];
  const auto& all = std::as_const(rows);
  TopK topk;
  topk.metric = TopK::Metric::Cosine;
  topk.k = 2;
  const auto p = prepare(topk, squareLengths(4), patternData<double>(all.view(), all.view()));
  CHECK(p->contains(0, 2)); // behind itself, the first of the two
  CHECK_FALSE(p->contains(0, 3));
}

TEST_CASE("A row of zeros has the cosine 0 with every row", "[content]") {
  const Matrix<double> rows(3, 2, {0, 0, 3, 4, -3, 4});
  CHECK(unitRows(rows) == Matrix<double>(3, 2, {0, 0, 0.6, 0.8, -0.6, 0.8}));
  TopK topk;
  topk.metric = TopK::Metric::Cosine;
  topk.k = 2;
  const auto p = prepare(topk, squareLengths(3), patternData<double>(rows.view(), rows.view()));
  CHECK(p->pairs() == 6);
  CHECK(p->contains(0, 0)); // of ties, the first
  CHECK(p->contains(0, 1));
}

TEST_CASE("Top k counts its pairs and gives the rank of a key", "[content]") {
  const PatternData data = normalData(40, 4, 3);
  TopK topk;
  topk.k = 7;
  CHECK(prepare(topk, squareLengths(40), data)->pairs() == 40 * 7);
  topk.causal = true;
  const auto p = prepare(topk, squareLengths(40), data);
  CHECK(p->pairs() == 7 * 8 / 2 + 33 * 7);
  CHECK(p->why(3, 5).text == "key 5 > query 3");
  CHECK(p->why(0, 0).text.rfind("q·k = ", 0) == 0);
  CHECK(p->why(0, 0).text.ends_with(" ranks 1 of 1; all are kept: attends"));
  const Explanation last = p->why(39, 0);
  CHECK(last.text.find(" of 40; only the first 7 are kept: ") != std::string::npos);
  CHECK(last.text.ends_with(last.attends ? ": attends" : ": not chosen"));
  topk.excludeSelf = true;
  CHECK_FALSE(prepare(topk, squareLengths(40), data)->why(4, 4).attends);
}

TEST_CASE("Clusters of given labels are the pairs of equal labels", "[content]") {
  const auto p = preparedFrom("cluster", R"({"labels": [7, 1, 7, 7, 1], "causal": true})", 5);
  CHECK(p->pairs() == 3 * 4 / 2 + 3);
  CHECK(p->contains(3, 0));
  CHECK_FALSE(p->contains(0, 3));
  CHECK_FALSE(p->contains(4, 0));
  CHECK(p->parts().size() == 2);
  CHECK(p->why(3, 0).text == "one cluster: query 3 is in cluster 7, key 0 is in cluster 7");
  CHECK(p->why(4, 0).text.rfind("different clusters: query 4 is in cluster 1", 0) == 0);
  CHECK_FALSE(needsData(patternFrom("cluster", R"({"labels": [0]})")));
}

TEST_CASE("K-means is Lloyd's algorithm from the drawn rows and labels are the nearest centroids",
          "[content]") {
  const bool spherical = GENERATE(true, false);
  const Index n = 50;
  const Matrix<double> points = randomMatrix<double>(n, 3, 5, 0);
  const Matrix<double> x = spherical ? unitRows(points) : points;
  Matrix<double> centroids = initialCentroids(points, 6, 9);
  for (Index c = 0; c < 6; ++c) {
    int found = 0;
    for (Index i = 0; i < n; ++i)
      found += std::equal(points.view().row(i).begin(), points.view().row(i).end(),
                          std::as_const(centroids).view().row(c).begin())
                   ? 1
                   : 0;
    CHECK(found == 1);
  }
  const KMeans result = kMeans(points, centroids, {4, spherical, 2});
  if (spherical)
    centroids = unitRows(centroids);
  std::vector<Index> labels(static_cast<std::size_t>(n));
  for (int step = 0; step <= 4; ++step) {
    for (Index i = 0; i < n; ++i) {
      double best = -std::numeric_limits<double>::infinity();
      for (Index c = 0; c < 6; ++c) {
        const double score =
            scoreOf(spherical ? TopK::Metric::Dot : TopK::Metric::Euclidean, x, i, centroids, c);
        if (score > best) {
          best = score;
          labels[static_cast<std::size_t>(i)] = c;
        }
      }
    }
    for (Index c = 0; c < 6 && step < 4; ++c) {
      std::vector<double> mean(3);
      double members = 0;
      for (Index i = 0; i < n; ++i)
        if (labels[static_cast<std::size_t>(i)] == c) {
          members += 1;
          for (std::size_t t = 0; t < 3; ++t)
            mean[t] += x(i, static_cast<Index>(t));
        }
      const double length = std::sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
      for (std::size_t t = 0; t < 3 && members > 0; ++t)
        centroids(c, static_cast<Index>(t)) = mean[t] / (spherical ? length : members);
    }
  }
  CHECK(result.labels == labels);
  for (Index c = 0; c < 6; ++c)
    for (Index t = 0; t < 3; ++t)
      CHECK(result.centroids(c, t) == Approx(centroids(c, t)).margin(1e-12));
}

TEST_CASE("An empty cluster keeps its place", "[content]") {
  const Matrix<double> points(3, 1, {0, 1, 2});
  const KMeans result = kMeans(points, Matrix<double>(2, 1, {1, 100}), {5, false, 1});
  CHECK(result.centroids(0, 0) == 1);
  CHECK(result.centroids(1, 0) == 100);
  CHECK(result.labels == std::vector<Index>{0, 0, 0});
}

TEST_CASE("Clusters and routes are the same at any number of threads", "[content][threads]") {
  const Index n = 300;
  const PatternData data = normalData(n, 8, 4);
  const Lengths lengths = squareLengths(n);
  const Clustering one = clusteringOf(Cluster{}, lengths, data, {}, 1);
  const Routes routesOne = routesOf(Routing{}, lengths, data, {}, 1);
  for (const int threads : {2, 5}) {
    const Clustering many = clusteringOf(Cluster{}, lengths, data, {}, threads);
    CHECK(many.centroids == one.centroids);
    CHECK(many.queryLabels == one.queryLabels);
    CHECK(many.keyLabels == one.keyLabels);
    const Routes routes = routesOf(Routing{}, lengths, data, {}, threads);
    CHECK(routes.centroids == routesOne.centroids);
    CHECK(routes.queries == routesOne.queries);
    CHECK(routes.keys == routesOne.keys);
  }
}

TEST_CASE("Clusters hold what their labels say and keys shared with queries are clustered once",
          "[content]") {
  const bool shared = GENERATE(true, false);
  const Index n = 41;
  const PatternData data = normalData(n, 4, 6, shared);
  Cluster cluster;
  cluster.k = 5;
  cluster.causal = GENERATE(true, false);
  const Clustering labels = clusteringOf(cluster, squareLengths(n), data, {});
  CHECK((labels.queryLabels == labels.keyLabels) == shared);
  const auto p = prepare(cluster, squareLengths(n), data);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      REQUIRE(p->contains(i, j) == (labels.queryLabels[static_cast<std::size_t>(i)] ==
                                        labels.keyLabels[static_cast<std::size_t>(j)] &&
                                    (!cluster.causal || j <= i)));
}

TEST_CASE("A route holds the tokens with the largest products with its centroid", "[content]") {
  const Index n = 37;
  const PatternData data = normalData(n, 4, 8, GENERATE(true, false));
  Routing routing;
  routing.k = 4;
  routing.window = GENERATE(1, 6, 100);
  const Routes routes = routesOf(routing, squareLengths(n), data, {});
  const Matrix<double> q = unitRows(*data.q);
  const Index w = std::min(n, *routing.window);
  for (Index c = 0; c < 4; ++c) {
    const auto& tokens = routes.queries[static_cast<std::size_t>(c)];
    CHECK(static_cast<Index>(tokens.size()) == w);
    double least = std::numeric_limits<double>::infinity();
    for (const Index i : tokens)
      least = std::min(least, dot(routes.centroids, c, q, i));
    for (Index i = 0; i < n; ++i)
      CHECK(std::binary_search(tokens.begin(), tokens.end(), i) ==
            (dot(routes.centroids, c, q, i) >= least));
  }
  const auto p = prepare(routing, squareLengths(n), data);
  CHECK(p->parts().size() == 4);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      bool together = false;
      for (std::size_t c = 0; c < 4; ++c)
        together = together ||
                   (std::binary_search(routes.queries[c].begin(), routes.queries[c].end(), i) &&
                    std::binary_search(routes.keys[c].begin(), routes.keys[c].end(), j));
      REQUIRE(p->contains(i, j) == together);
    }
}

TEST_CASE("Estimated lines are those that the last queries attend to most", "[content]") {
  const Index n = 30;
  const PatternData data = normalData(n, 4, 10);
  VerticalSlashEstimated estimated;
  estimated.nVertical = 5;
  estimated.nSlash = 4;
  estimated.lastQ = 7;
  estimated.forceFirst = 2;
  estimated.forceLocal = 1;
  std::vector<double> vertical(30);
  std::vector<double> slash(30);
  for (Index i = n - 7; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j <= i; ++j)
      sum += std::exp(dot(*data.q, i, *data.k, j) / 2);
    for (Index j = 0; j <= i; ++j) {
      const double p = std::exp(dot(*data.q, i, *data.k, j) / 2) / sum;
      vertical[static_cast<std::size_t>(j)] += p;
      slash[static_cast<std::size_t>(i - j)] += p;
    }
  }
  vertical[0] = vertical[1] = slash[0] = 1e9;
  const VerticalSlash lines = estimatedLines(estimated, squareLengths(n), data, {});
  const auto check = [](const IndexList& list, const std::vector<double>& sums, std::size_t most) {
    REQUIRE(list.size() == most);
    double least = 1e10;
    for (const Index at : list)
      least = std::min(least, sums[static_cast<std::size_t>(at)]);
    CHECK(std::count_if(sums.begin(), sums.end(), [&](double x) { return x > least; }) ==
          static_cast<std::ptrdiff_t>(most) - 1);
  };
  check(lines.vertical, vertical, 5);
  check(lines.slash, slash, 4);
  const auto p = prepare(estimated, squareLengths(n), data);
  CHECK(p->pairs() == prepare(lines, squareLengths(n))->pairs());
}

TEST_CASE("Causal data-dependent patterns never attend to the future", "[content]") {
  const Index n = 60;
  const PatternData data = normalData(n, 4, 12);
  for (const char* name : {"topk", "cluster", "routing", "lsh", "vertical_slash_estimated"}) {
    Pattern pattern = patternNamed(name);
    if (description(pattern).find("causal"))
      set(pattern, "causal", true);
    const auto p = prepare(pattern, squareLengths(n), data);
    INFO(name);
    CHECK(p->pairs() > 0);
    for (Index i = 0; i < n; ++i)
      CHECK(p->rowCount(i, i + 1, n) == 0);
  }
}

TEST_CASE("Pictures of overlapping and of many parts count every cell once", "[content]") {
  const Index n = 50;
  const PatternData data = normalData(n, 4, 14);
  for (const char* text : {R"({"k": 3})", R"({"k": 12})"})
    for (const char* name : {"cluster", "routing"}) {
      const auto p = prepare(patternFrom(name, text), squareLengths(n), data);
      const Lattice lattice = latticeOver(p->bounds(), 7, 9);
      const Coverage coverage = computeCoverage(*p, lattice);
      CHECK(coverage.exact);
      CHECK(coverage.counts.size() ==
            (p->parts().size() > kMostPartsShown ? 1 : p->parts().size()));
      for (Index a = 0; a < 7; ++a)
        for (Index b = 0; b < 9; ++b) {
          const auto row = static_cast<std::size_t>(a);
          const auto col = static_cast<std::size_t>(b);
          CHECK(coverage.total(a, b) ==
                p->count({lattice.rowEdges[row], lattice.rowEdges[row + 1], lattice.keyEdges[col],
                          lattice.keyEdges[col + 1]}));
        }
    }
}

TEST_CASE("Compositions take the cells of data-dependent patterns", "[content]") {
  const Index n = 24;
  const PatternData data = normalData(n, 4, 16);
  const Pattern both = Compose(Operation::Difference, {Pattern(TopK{}), Pattern(Local{4})});
  CHECK(needsData(both));
  const auto p = prepare(both, squareLengths(n), data);
  const auto topk = prepare(TopK{}, squareLengths(n), data);
  const auto local = prepare(Local{4}, squareLengths(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      REQUIRE(p->contains(i, j) == (topk->contains(i, j) && !local->contains(i, j)));
}

TEST_CASE("Errors of data-dependent patterns have the codes of the specification", "[content]") {
  const PatternData data = normalData(8, 3, 1);
  const auto code = [&](const char* name, const char* params) {
    return errorCodeOf(patternFrom(name, params), 8, data);
  };
  CHECK(code("topk", R"({"k": -1})") == ErrorCode::Range);
  CHECK(code("cluster", R"({"k": 9})") == ErrorCode::Range);
  CHECK(code("cluster", R"({"k": 0})") == ErrorCode::Range);
  CHECK(code("cluster", R"({"iterations": -1})") == ErrorCode::Range);
  CHECK(code("cluster", R"({"labels": [0, 1]})") == ErrorCode::Shape);
  CHECK(code("cluster", R"({"centroids": [[1, 2]]})") == ErrorCode::Shape);
  CHECK(code("cluster", R"({"centroids": "unread.npy"})") == ErrorCode::Type);
  CHECK(code("routing", R"({"k": 9})") == ErrorCode::Range);
  CHECK(code("routing", R"({"window": 0})") == ErrorCode::Range);
  CHECK(code("vertical_slash_estimated", R"({"last_q": 0})") == ErrorCode::Range);
  CHECK(code("lsh", R"({"n_buckets": 3})") == ErrorCode::Range);
  CHECK(code("lsh", R"({"n_buckets": [4, 1]})") == ErrorCode::Range);
  CHECK(code("lsh", R"({"n_buckets": []})") == ErrorCode::Range);
  CHECK(code("lsh", R"({"n_rounds": 0})") == ErrorCode::Range);
  CHECK(code("lsh", R"({"chunk": 3, "lookback": "wrap_all"})") == ErrorCode::Range);
  CHECK(code("lsh", R"({"n_buckets": 2, "rotations": [[[1], [1]]]})") == ErrorCode::Shape);
  CHECK_THROWS_AS(patternFrom("lsh", R"({"combine": "sum"})"), Error);
  CHECK(errorCodeOf(TopK{}, 9, data) == ErrorCode::Shape);
  CHECK(errorCodeOf(TopK{}, 8, {}) == ErrorCode::Type);
  Matrix<double> broken = *data.q;
  broken(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(errorCodeOf(TopK{}, 8, patternData<double>(std::as_const(broken).view(), data.k->view())) ==
        ErrorCode::NonFinite);
  CHECK_THROWS_AS(prepare(TopK{}, alignedLengths(4, 8, Align::TopLeft), data), Error);
  CHECK_THROWS_AS(patternFrom("cluster", R"({"centroids": [[1, 2], [3]]})"), Error);
  CHECK_THROWS_AS(patternFrom("cluster", R"({"centroids": [1, 2]})"), Error);
}

TEST_CASE("Chunks that cannot wrap over all rounds are refused before anything is prepared",
          "[content]") {
  const Pattern lsh = patternFrom("lsh", R"({"chunk": 3, "lookback": "wrap_all"})");
  CHECK_NOTHROW(check(lsh, squareLengths(9)));
  CHECK_THROWS_WITH(check(lsh, squareLengths(8)),
                    "chunk is 3; it must be a divisor of n = 8 where lookback is wrap_all");
  CHECK_NOTHROW(check(patternFrom("lsh", R"({"chunk": 3})"), squareLengths(8)));
}

TEST_CASE("The error for missing data names the pattern and what it needs", "[content]") {
  try {
    prepare(TopK{}, squareLengths(8));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.text() == "E_TYPE: the input is missing, and topk chooses keys by Q and K; give an "
                          "input with queries and keys");
  }
}
