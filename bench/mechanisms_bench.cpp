// Kernels, random features, Linformer and dense softmax beside their naive twins in double
// precision, on one thread, d = d_v = 64: both are timed in turn within one run, and `ratio` is the
// median of the twin's time over ours, formed within each repeat. The naive twin of every
// approximation is the explicit matrix; that of patterns which choose keys by the data is the plain
// choice, every score sorted or every pair looked at, with attention key by key. `share_of_bound`
// is how close each comes to its bound (bounds.h), whose arithmetic bench/README.md derives;
// hashing and clustering are also measured by themselves, where the points are more than a core's
// caches hold.
#include "bench/against_twin.h"
#include "bench/normals.h"
#include "core/attention/dense_softmax.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/attention/kernel.h"
#include "core/attention/linformer.h"
#include "core/attention/reference.h"
#include "core/pattern/beginning.h"
#include "core/pattern/kmeans.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/lsh_rounds.h"
#include "core/pattern/mechanism/topk.h"
#include "core/pattern/pattern.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attention;
using bench::addBounded;
using bench::kDimension;
using bench::LeastWork;
using bench::normals;

constexpr Index kTokens = 2048;
constexpr Index kProjections = 256;
constexpr Index kPoints = 16384; // hashed or clustered
constexpr Index kChosen = 4096;  // among which choosers choose

// The same for products of sizes.
constexpr auto kN = static_cast<double>(kTokens);
constexpr auto kD = static_cast<double>(kDimension);
constexpr auto kV = static_cast<double>(kProjections);
constexpr double kInputBytes = 4 * 4 * kN * kD; // Q, K, V and the result

// One product with half as many columns as there are buckets, in every round.
constexpr double hashFlops(double n, double rounds, double buckets) {
  return 2 * rounds * n * kD * buckets / 2;
}
// A squared difference is two vector operations, as much as two fused multiply-adds; one more
// assignment than moves of the centroids.
constexpr double clusterFlops(double n, double k, double iterations) {
  return 4 * (iterations + 1) * n * k * kD;
}

// A distance is two vector operations per term, as above; features of elu + 1 are exponentials.
LeastWork kernelWork(Kernel of, double pairs) {
  if (of == Kernel::Gaussian)
    return {.floatFlops = 6 * pairs * kD, .bytes = kInputBytes, .floatExps = pairs};
  return {.floatFlops = 4 * kN * kD * kD,
          .bytes = kInputBytes,
          .floatExps = of == Kernel::Elu1 ? 2 * kN * kD : 0};
}

template <class T>
struct Inputs {
  Matrix<T> q = normals<T>(0, kTokens);
  Matrix<T> k = normals<T>(1, kTokens);
  Matrix<T> v = normals<T>(2, kTokens);
  MatrixView<const T> qView() const { return q.view(); }
  MatrixView<const T> kView() const { return k.view(); }
  MatrixView<const T> vView() const { return v.view(); }
};

// What is timed, kept for as long as the benchmarks run.
struct Bench {
  Inputs<float> in;
  Inputs<double> wide;
  std::shared_ptr<const Prepared> causal = prepare(Causal{}, squareLengths(kTokens));
  std::shared_ptr<const Prepared> full = prepare(Full{}, squareLengths(kTokens));
  Matrix<double> w =
      drawProjection({ProjectionKind::Orthogonal, Norms::Chi, kProjections, kDimension, 1});
  Matrix<double> e = drawLinformer(kProjections, kTokens, 1, LinformerSide::Keys);
  Matrix<double> points = normals<double>(3, kPoints);
  PatternData pointsData =
      patternData<double>(std::as_const(points).view(), std::as_const(points).view(), true);
  Matrix<float> shortE{kProjections, kTokens, {e.values().begin(), e.values().end()}};

  std::function<void()> kernel(Kernel kernel, bool onCausal) const {
    return [=, this] {
      kernelAttention(onCausal ? *causal : *full, in.qView(), in.kView(), in.vView(),
                      {kernel, true, 1});
    };
  }
  std::function<void()> kernelTwin(Kernel kernel, bool onCausal) const {
    return [=, this] {
      kernelReference(onCausal ? *causal : *full, wide.qView(), wide.kView(), wide.vView(),
                      {kernel, true, 1});
    };
  }
  std::function<void()> features(FeatureMap map, bool onCausal) const {
    return [=, this] {
      FeatureOptions options;
      options.map = map;
      featureAttention(in.qView(), in.kView(), in.vView(), w, options, {onCausal, true, 1});
    };
  }
  // softmax(Q Kᵀ) V key by key.
  std::function<void()> softmaxTwin(bool onCausal) const {
    return [=, this] {
      AttendOptions options;
      options.threads = 1;
      attendReference(onCausal ? *causal : *full, wide.qView(), wide.kView(), wide.vView(),
                      options);
    };
  }

  // Choosing the keys and attending to them.
  std::function<void()> chosen(const Pattern& pattern) const {
    return [=, this] {
      const auto data = patternData<double>(wide.qView(), wide.kView());
      AttendOptions options;
      options.threads = 1;
      attend(*prepare(pattern, squareLengths(kTokens), data), in.qView(), in.kView(), in.vView(),
             options);
    };
  }
  // The same where queries and keys are one matrix, clustered once.
  std::function<void()> chosenOfQueries(const Pattern& pattern) const {
    return [=, this] {
      const auto data = patternData<double>(wide.qView(), wide.qView(), true);
      AttendOptions options;
      options.threads = 1;
      attend(*prepare(pattern, squareLengths(kTokens), data), in.qView(), in.kView(), in.vView(),
             options);
    };
  }
  // The k keys of every query with the largest scores, by sorting all of them.
  std::function<void()> topkTwin(Index k) const {
    return [=, this] {
      std::vector<std::pair<double, Index>> scores(kTokens);
      RowTableBuilder rows;
      for (Index i = 0; i < kTokens; ++i) {
        for (Index j = 0; j < kTokens; ++j)
          scores[static_cast<std::size_t>(j)] = {-dot(wide.qView().row(i), wide.kView().row(j)), j};
        std::sort(scores.begin(), scores.end());
        std::vector<Index> keys;
        for (Index r = 0; r < k; ++r)
          keys.push_back(scores[static_cast<std::size_t>(r)].second);
        std::sort(keys.begin(), keys.end());
        for (const Index j : keys)
          rows.add(i, j);
      }
      attendTwin(rows.build(), {});
    };
  }
  // Pairs of one group, by checking each: group[i] == group[j].
  std::function<void()> groupsTwin(const std::function<std::vector<Index>()>& groups,
                                   const KeyRule& keys) const {
    return [=, this] {
      const std::vector<Index> group = groups();
      RowTableBuilder rows;
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t j = 0; j < group.size(); ++j)
          if (group[i] == group[j])
            rows.add(static_cast<Index>(i), static_cast<Index>(j));
      attendTwin(rows.build(), keys);
    };
  }
  static double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c)
      sum += a[c] * b[c];
    return sum;
  }
  void attendTwin(const std::shared_ptr<const RowTable>& table, const KeyRule& keys) const {
    std::vector<Part> parts;
    parts.push_back({"keys", "chosen keys", table});
    const Prepared pattern(squareLengths(kTokens), std::move(parts));
    AttendOptions options;
    options.threads = 1;
    attendReference(keys.plain() ? pattern : *pattern.asUnion(keys), wide.qView(), wide.kView(),
                    wide.vView(), options);
  }
  // Buckets of one round: the largest of ± the projections, one inner product at a time.
  std::vector<Index> buckets(Index of) const {
    const Matrix<double> rotation =
        drawProjection({ProjectionKind::Iid, Norms::Chi, of / 2, kDimension, 1});
    std::vector<Index> bucket;
    for (Index i = 0; i < kTokens; ++i) {
      std::vector<double> y;
      for (const double sign : {1.0, -1.0})
        for (Index c = 0; c < of / 2; ++c)
          y.push_back(sign * dot(wide.qView().row(i), rotation.view().row(c)));
      bucket.push_back(std::max_element(y.begin(), y.end()) - y.begin());
    }
    return bucket;
  }
  // k-means of the queries, one distance at a time: their labels.
  std::vector<Index> nearest(Index centroids, Index iterations) const {
    std::vector<Index> label(kTokens);
    Matrix<double> c(centroids, kDimension,
                     {wide.q.data(), wide.q.data() + centroids * kDimension});
    for (Index t = 0; t <= iterations; ++t) {
      for (Index i = 0; i < kTokens; ++i)
        label[static_cast<std::size_t>(i)] = closest(c, i);
      c = means(label, centroids);
    }
    return label;
  }
  Index closest(const Matrix<double>& centroids, Index i) const {
    Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index a = 0; a < centroids.rows(); ++a) {
      double distance = 0;
      for (Index e = 0; e < kDimension; ++e)
        distance += (wide.q(i, e) - centroids(a, e)) * (wide.q(i, e) - centroids(a, e));
      if (distance < least)
        best = a;
      least = std::min(least, distance);
    }
    return best;
  }
  Matrix<double> means(const std::vector<Index>& label, Index centroids) const {
    Matrix<double> sums(centroids, kDimension);
    std::vector<double> count(static_cast<std::size_t>(centroids));
    for (Index i = 0; i < kTokens; ++i) {
      const Index a = label[static_cast<std::size_t>(i)];
      count[static_cast<std::size_t>(a)] += 1;
      for (Index e = 0; e < kDimension; ++e)
        sums(a, e) += wide.q(i, e);
    }
    for (Index a = 0; a < centroids; ++a)
      for (Index e = 0; e < kDimension; ++e)
        sums(a, e) /= std::max(count[static_cast<std::size_t>(a)], 1.0);
    return sums;
  }

  // Attention itself, on the pairs of a pattern that takes this much arithmetic in doubles to
  // choose.
  LeastWork chosenWork(const Pattern& pattern, bool ofQueries, double choosing) const {
    const auto data =
        patternData<double>(wide.qView(), ofQueries ? wide.qView() : wide.kView(), ofQueries);
    const auto pairs = static_cast<double>(prepare(pattern, squareLengths(kTokens), data)->pairs());
    return {.floatFlops = 4 * kD * pairs, .doubleFlops = choosing, .floatExps = pairs};
  }

  void registerChosen() const {
    TopK topk;
    topk.k = 64;
    addBounded("topk_k64", kTokens, chosenWork(topk, false, 2 * kN * kN * kD), chosen(topk),
               topkTwin(64));
    Lsh lsh;
    lsh.buckets = IndexList{32};
    lsh.within = Lsh::Within::Bucket;
    lsh.self = Lsh::Self::Allow;
    addBounded("lsh_32_buckets", kTokens, chosenWork(lsh, false, hashFlops(kN, 1, 32)), chosen(lsh),
               groupsTwin([this] { return buckets(32); }, {true, KeyNorm::Rms}));
    Cluster cluster;
    cluster.k = 32;
    addBounded("cluster_k32", kTokens, chosenWork(cluster, true, clusterFlops(kN, 32, 10)),
               chosenOfQueries(cluster), groupsTwin([this] { return nearest(32, 10); }, {}));
  }

  // Only choosing, beside the arithmetic that S20.8 counts for it, in doubles.
  void registerChoosers() const {
    const auto q = std::make_shared<const Matrix<double>>(normals<double>(0, kChosen));
    const auto k = std::make_shared<const Matrix<double>>(normals<double>(1, kChosen));
    for (const char* name : {"moba", "nsa", "dsa", "msa", "quest", "xattention", "flexprefill",
                             "sparge", "block_topk", "cache"}) {
      const Pattern pattern = beginning(patternNamed(name), kChosen);
      const Lengths lengths = squareLengths(kChosen);
      const double flops =
          prepare(pattern, lengths, patternData<double>(q->view(), k->view()))->choice()->flops;
      addBounded(
          std::string("choose_") + name, kChosen,
          {.doubleFlops = flops, .bytes = 2 * 8 * static_cast<double>(kChosen) * kD},
          [pattern, lengths, q, k] {
            Run run;
            run.threads = 1;
            benchmark::DoNotOptimize(
                prepare(pattern, lengths, patternData<double>(q->view(), k->view()), run).get());
          });
    }
  }

  // Only hashing and clustering.
  void registerGroups() const {
    constexpr auto kMany = static_cast<double>(kPoints);
    constexpr double kBytes = 8 * kMany * kD;
    for (const Index of : {32, 256}) {
      Lsh lsh;
      lsh.buckets = IndexList{of};
      lsh.rounds = 4;
      addBounded("lsh_rounds_4x" + std::to_string(of), kPoints,
                 {.doubleFlops = hashFlops(kMany, 4, static_cast<double>(of)), .bytes = kBytes},
                 [this, lsh] { lshRounds(lsh, squareLengths(kPoints), pointsData, {}, 1); });
      addBounded(
          "kmeans_k" + std::to_string(of), kPoints,
          {.doubleFlops = clusterFlops(kMany, static_cast<double>(of), 10), .bytes = 11 * kBytes},
          [this, of] {
            kMeans(points, initialCentroids(points, of, 1), {10, false, 1});
          });
    }
  }

  void registerAll() const {
    for (const bool onCausal : {false, true}) {
      const std::string suffix = onCausal ? "_causal" : "_full";
      const double pairs = onCausal ? kN * (kN + 1) / 2 : kN * kN;
      for (const Kernel of : {Kernel::Gaussian, Kernel::Elu1, Kernel::Relu})
        addBounded(std::string(name(of)) + suffix, kTokens, kernelWork(of, pairs),
                   kernel(of, onCausal), kernelTwin(of, onCausal));
      for (const FeatureMap map : {FeatureMap::Positive, FeatureMap::Trig}) {
        const auto m = static_cast<double>(featureCount(map, kProjections, kDimension));
        addBounded(std::string(name(map)) + "_v256" + suffix, kTokens,
                   {.floatFlops = 4 * kN * kV * kD + 4 * kN * m * kD,
                    .bytes = kInputBytes,
                    .floatExps = map == FeatureMap::Positive ? 2 * kN * m : 2 * kN},
                   features(map, onCausal), softmaxTwin(onCausal));
      }
    }
    addBounded(
        "linformer_k256", kTokens,
        {.floatFlops = 8 * kN * kV * kD, .bytes = kInputBytes, .floatExps = kN * kV},
        [this] {
          LinformerOptions options;
          options.threads = 1;
          linformer<float>(in.qView(), in.kView(), in.vView(), shortE.view(), shortE.view(),
                           options);
        },
        softmaxTwin(false));
    addBounded(
        "dense_softmax_double", kTokens,
        {.doubleFlops = 4 * kN * kN * kD, .bytes = 2 * kInputBytes, .doubleExps = kN * kN},
        [this] { denseSoftmaxAttention(wide.qView(), wide.kView(), wide.vView(), {0.125}, 1); },
        softmaxTwin(false));
  }
};

} // namespace

int main(int argc, char** argv) {
  const Bench bench;
  bench.registerAll();
  bench.registerChosen();
  bench.registerChoosers();
  bench.registerGroups();
  return runBenchmarks(argc, argv);
}
