// Kernels, random features, Linformer and dense softmax beside their naive twins in double
// precision, on one thread, d = d_v = 64: as attention_bench, both are timed in turn within one
// run, and `ratio` is the twin's median time over ours. The naive twin of every approximation is
// the explicit matrix.
#include "bench/run_benchmarks.h"
#include "core/attention/dense_softmax.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/attention/kernel.h"
#include "core/attention/linformer.h"
#include "core/attention/reference.h"
#include "core/pattern/pattern.h"
#include "core/support/philox.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attention;

constexpr Index kDimension = 64;
constexpr Index kTokens = 2048;
constexpr Index kProjections = 256;
constexpr int kRepeats = 5;

template <class T>
Matrix<T> normals(std::uint32_t sub) {
  Matrix<T> m(kTokens, kDimension);
  for (Index x = 0; x < kTokens * kDimension; ++x)
    m.data()[x] = static_cast<T>(
        0.5 * philox::normal({1, philox::Purpose::Data, sub}, static_cast<std::uint64_t>(x)));
  return m;
}

template <class T>
struct Inputs {
  Matrix<T> q = normals<T>(0);
  Matrix<T> k = normals<T>(1);
  Matrix<T> v = normals<T>(2);
  MatrixView<const T> qView() const { return q.view(); }
  MatrixView<const T> kView() const { return k.view(); }
  MatrixView<const T> vView() const { return v.view(); }
};

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

void compare(benchmark::State& state, const std::function<void()>& ours,
             const std::function<void()>& twin) {
  std::vector<double> mine;
  std::vector<double> theirs;
  for (auto _ : state) {
    theirs.push_back(seconds(twin));
    mine.push_back(seconds(ours));
    state.SetIterationTime(mine.back());
  }
  state.counters["twin_ms"] = 1e3 * median(theirs);
  state.counters["ratio"] = median(theirs) / median(mine);
}

void add(const std::string& name, const std::function<void()>& ours,
         const std::function<void()>& twin) {
  benchmark::RegisterBenchmark(
      (name + "/" + std::to_string(kTokens)).c_str(),
      [ours, twin](benchmark::State& state) { compare(state, ours, twin); })
      ->UseManualTime()
      ->Iterations(kRepeats)
      ->Unit(benchmark::kMillisecond);
}

// What is timed, kept for as long as the benchmarks run.
struct Bench {
  Inputs<float> in;
  Inputs<double> wide;
  std::shared_ptr<const Prepared> causal = prepare(Causal{}, squareLengths(kTokens));
  std::shared_ptr<const Prepared> full = prepare(Full{}, squareLengths(kTokens));
  Matrix<double> w =
      drawProjection({ProjectionKind::Orthogonal, Norms::Chi, kProjections, kDimension, 1});
  Matrix<double> e = drawLinformer(kProjections, kTokens, 1, LinformerSide::Keys);
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

  void registerAll() const {
    for (const bool onCausal : {false, true}) {
      const std::string suffix = onCausal ? "_causal" : "_full";
      for (const Kernel of : {Kernel::Gaussian, Kernel::Elu1, Kernel::Relu})
        add(std::string(name(of)) + suffix, kernel(of, onCausal), kernelTwin(of, onCausal));
      for (const FeatureMap map : {FeatureMap::Positive, FeatureMap::Trig})
        add(std::string(name(map)) + "_m256" + suffix, features(map, onCausal),
            softmaxTwin(onCausal));
    }
    add(
        "linformer_k256",
        [this] {
          LinformerOptions options;
          options.threads = 1;
          linformer<float>(in.qView(), in.kView(), in.vView(), shortE.view(), shortE.view(),
                           options);
        },
        softmaxTwin(false));
    add(
        "dense_softmax_double",
        [this] { denseSoftmaxAttention(wide.qView(), wide.kView(), wide.vView(), 0.125, 1); },
        softmaxTwin(false));
  }
};

} // namespace

int main(int argc, char** argv) {
  const Bench bench;
  bench.registerAll();
  return runBenchmarks(argc, argv);
}
