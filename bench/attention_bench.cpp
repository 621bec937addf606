// Float attention over patterns beside the plain double twin, on one thread, d = d_v = 64. Both are
// timed in turn within one run, since only ratios within a run mean anything: `ratio` is the twin's
// median time over ours, `gflops` the useful rate 4 · d · pairs / time.
#include "bench/run_benchmarks.h"
#include "core/attention/attend.h"
#include "core/attention/reference.h"
#include "core/pattern/pattern.h"
#include "core/support/philox.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attention;

constexpr Index kDimension = 64;
constexpr int kRepeats = 5;

struct Case {
  std::string mechanism;
  std::vector<std::pair<std::string, Value>> parameters;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {"full", {}},
      {"causal", {}},
      {"local", {{"window", Value{Index{128}}}, {"causal", Value{true}}}},
      {"strided", {{"stride", Value{Index{128}}}}},
      {"bigbird", {}},
  };
  return kCases;
}

template <class T>
Matrix<T> normals(Index n, std::uint32_t sub) {
  Matrix<T> m(n, kDimension);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < kDimension; ++c)
      m(i, c) = static_cast<T>(philox::normal({1, philox::Purpose::Data, sub},
                                              static_cast<std::uint64_t>(i * kDimension + c)));
  return m;
}

template <class T>
struct Input {
  Matrix<T> q;
  Matrix<T> k;
  Matrix<T> v;

  explicit Input(Index n) : q(normals<T>(n, 0)), k(normals<T>(n, 1)), v(normals<T>(n, 2)) {}
};

// Seconds that attention over the pattern takes.
template <class T>
double seconds(const Prepared& pattern, const Input<T>& in, int threads) {
  AttendOptions options;
  options.threads = threads;
  const auto begin = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(attend(pattern, std::as_const(in.q).view(), std::as_const(in.k).view(),
                                  std::as_const(in.v).view(), options)
                               .out.data());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

void compare(benchmark::State& state, const Case& one, Index n) {
  Pattern pattern = patternNamed(one.mechanism);
  for (const auto& [name, value] : one.parameters)
    set(pattern, name, value);
  const auto prepared = prepare(pattern, squareLengths(n));
  const Input<float> fast(n);
  const Input<double> plain(n);
  std::vector<double> ours;
  std::vector<double> twin;
  for (auto _ : state) {
    twin.push_back(seconds(*prepared, plain, 1));
    ours.push_back(seconds(*prepared, fast, 1));
    state.SetIterationTime(ours.back());
  }
  const auto pairs = static_cast<double>(prepared->pairs());
  state.counters["pairs"] = pairs;
  state.counters["gflops"] = 4e-9 * static_cast<double>(kDimension) * pairs / median(ours);
  state.counters["twin_ms"] = 1e3 * median(twin);
  state.counters["ratio"] = median(twin) / median(ours);
}

} // namespace

int main(int argc, char** argv) {
  for (const Case& one : cases())
    for (const Index n : {Index{1024}, Index{4096}})
      benchmark::RegisterBenchmark((one.mechanism + "/" + std::to_string(n)).c_str(),
                                   [&one, n](benchmark::State& state) { compare(state, one, n); })
          ->UseManualTime()
          ->Iterations(kRepeats)
          ->Unit(benchmark::kMillisecond);
  return runBenchmarks(argc, argv);
}
