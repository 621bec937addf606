// Float attention over patterns against the machine and against itself, d = d_v = 64. Every round
// runs the register loop of the machine's peak (fma_peak.h), dense attention over 4096 tokens,
// causal attention over 16 384 where a case is compared with it, and the case, one after another,
// since only ratios within a run mean anything. One thread is timed by the processor's clock, so
// that others on the machine count less; several by the wall's. Counters, medians over the rounds:
//
//   share     useful rate 4 · d · pairs / time as a share of the measured FMA peak
//   of_dense  the same as a share of dense attention's rate; of_causal: of causal attention's
//   ratio     the plain double twin's time over ours by the wall's clock (the cases named twin)
//   over_plain  the time with score modifiers over that without, less 1 (the cases named with)
#include "bench/against_twin.h"
#include "core/analysis/timing/fma_peak.h"
#include "core/attention/attend.h"
#include "core/attention/modifiers.h"
#include "core/attention/reference.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "core/support/philox.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attention;

constexpr Index kDimension = 64;
constexpr Index kDense = 4096;
constexpr Index kLong = 16384;
constexpr Index kPeakRounds = 4'000'000; // about 20 ms

using Parameters = std::vector<std::pair<std::string, Value>>;

Pattern patternWith(const std::string& mechanism, const Parameters& parameters) {
  Pattern pattern = patternNamed(mechanism);
  for (const auto& [name, value] : parameters)
    set(pattern, name, value);
  return pattern;
}

struct Case {
  std::string name;
  Pattern pattern;
  Index n = kDense;
  int threads = 1;
  bool besideCausal = false;
};

Value number(Index value) {
  return Value{value};
}

std::vector<Case> denseCases() {
  std::vector<Case> cases;
  for (const int threads : {1, 2})
    for (const Index n : {kDense, kLong}) {
      cases.push_back({"full", Full{}, n, threads});
      cases.push_back({"causal", Causal{}, n, threads});
    }
  return cases;
}

std::vector<Case> sparseCases() {
  const Pattern window = patternWith("local", {{"window", number(128)}, {"causal", Value{true}}});
  const Pattern strided = patternWith("strided", {{"stride", number(128)}});
  return {{"window 128", window, kLong, 1, true},
          {"window 128", window, 65536, 1, true},
          {"window 128", window, kLong, 2, true},
          {"strided 128", strided, kLong, 1, true},
          {"strided 128", strided, kLong, 2, true},
          {"top 64 keys", patternWith("topk", {{"k", number(64)}}), kDense}, // thin, scattered rows
          {"fixed 128", patternWith("fixed", {{"stride", number(128)}, {"c", number(8)}}), kLong}};
}

// The rest of the family, where the defaults need nothing more.
std::vector<Case> familyCases() {
  std::vector<Case> cases;
  for (const Pattern& pattern : allMechanisms())
    cases.push_back({shortText(pattern), pattern});
  const Index hood = 8;
  cases.push_back({"grid", patternWith("graph", {{"kind", Value{std::string("grid")}},
                                                 {"neighborhood", number(hood)}})});
  cases.push_back({"random graph", patternWith("graph", {{"kind", Value{std::string("random")}}})});
  return cases;
}

Matrix<float> normals(Index n, std::uint32_t sub) {
  Matrix<float> m(n, kDimension);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < kDimension; ++c)
      m(i, c) = static_cast<float>(philox::normal({1, philox::Purpose::Data, sub},
                                                  static_cast<std::uint64_t>(i * kDimension + c)));
  return m;
}

struct Input {
  Matrix<float> q;
  Matrix<float> k;
  Matrix<float> v;

  explicit Input(Index n) : q(normals(n, 0)), k(normals(n, 1)), v(normals(n, 2)) {}
  PatternData data() const {
    return patternData<float>(std::as_const(q).view(), std::as_const(k).view());
  }
};

double seconds(int threads, const std::function<void()>& work) {
  return threads > 1 ? bench::seconds(work) : bench::processorSeconds(work);
}

// A prepared pattern with its own input.
struct Work {
  Input in;
  std::shared_ptr<const Prepared> pattern;
  double flops = 0;

  Work(const Pattern& parameters, Index n)
      : in(n), pattern(prepare(parameters, squareLengths(n), in.data())),
        flops(4.0 * static_cast<double>(kDimension) * static_cast<double>(pattern->pairs())) {}

  double rate(int threads, AttendOptions options = {}) const {
    options.threads = threads;
    return flops / seconds(threads, [&] {
             benchmark::DoNotOptimize(
                 attend(*pattern, in.q.view(), in.k.view(), in.v.view(), options).out.data());
           });
  }
};

double peakRate(int threads) {
  return peakFlops(kPeakRounds, threads) /
         seconds(threads, [&] { benchmark::DoNotOptimize(runPeakLoop(kPeakRounds, threads)); });
}

void measure(benchmark::State& state, const Case& one) {
  std::unique_ptr<Work> work;
  try {
    work = std::make_unique<Work>(one.pattern, one.n);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
    return;
  }
  const Work dense(Full{}, kDense);
  const std::unique_ptr<Work> causal =
      one.besideCausal ? std::make_unique<Work>(Causal{}, kLong) : nullptr;
  std::vector<double> shares;
  std::vector<double> ofDense;
  std::vector<double> ofCausal;
  work->rate(one.threads);
  for (auto _ : state) {
    const double peak = peakRate(one.threads);
    const double denseRate = dense.rate(one.threads);
    const double rate = work->rate(one.threads);
    state.SetIterationTime(work->flops / rate);
    shares.push_back(rate / peak);
    ofDense.push_back(rate / denseRate);
    if (causal)
      ofCausal.push_back(rate / causal->rate(one.threads));
  }
  state.counters["density"] =
      static_cast<double>(work->pattern->pairs()) / static_cast<double>(one.n * one.n);
  state.counters["share"] = bench::median(shares);
  state.counters["of_dense"] = bench::median(ofDense);
  if (causal)
    state.counters["of_causal"] = bench::median(ofCausal);
}

void add(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const std::string name =
        one.name + "/" + std::to_string(one.n) + "/threads:" + std::to_string(one.threads);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [one](benchmark::State& state) { measure(state, one); })
        ->UseManualTime()
        ->Iterations(bench::kRepeats)
        ->Unit(benchmark::kMillisecond);
  }
}

struct Modified {
  std::string name;
  ScoreModifiers modifiers;
};

std::vector<Modified> modifiedCases() {
  std::vector<Modified> cases(7);
  cases[0] = {"scale", {}};
  cases[0].modifiers.scale = 0.3;
  cases[1] = {"temperature", {}};
  cases[1].modifiers.temperature = 2;
  cases[2] = {"sink", {}};
  cases[2].modifiers.sink = HeadNumbers{{1}, true};
  cases[3] = {"ALiBi", {}};
  cases[3].modifiers.bias = AlibiBias{HeadNumbers{{0.01}, true}};
  cases[4] = {"soft cap", {}};
  cases[4].modifiers.softcap = 20;
  cases[5] = {"T5 table", {}};
  cases[5].modifiers.bias = T5Bias{std::vector(32, std::vector{0.5})};
  cases[6] = {"cap, then ALiBi", cases[3].modifiers};
  cases[6].modifiers.softcap = 20;
  return cases;
}

// Attention with modifiers beside the same without, in turns.
void addModified(const std::string& name, const Pattern& pattern, Index n) {
  for (const Modified& one : modifiedCases())
    benchmark::RegisterBenchmark((name + " with " + one.name + "/" + std::to_string(n)).c_str(),
                                 [pattern, n, modifiers = one.modifiers](benchmark::State& state) {
                                   const Work work(pattern, n);
                                   const AttendOptions options = optionsOf(modifiers, 0, 1, n);
                                   std::vector<double> over;
                                   work.rate(1);
                                   for (auto _ : state) {
                                     const double plain = work.rate(1);
                                     const double rate = work.rate(1, options);
                                     state.SetIterationTime(work.flops / rate);
                                     over.push_back(plain / rate - 1);
                                   }
                                   state.counters["over_plain"] = bench::median(over);
                                 })
        ->UseManualTime()
        ->Iterations(2 * bench::kRepeats)
        ->Unit(benchmark::kMillisecond);
}

template <class T>
Matrix<T> converted(const Matrix<float>& m) {
  return {m.rows(), m.cols(), std::vector<T>(m.values().begin(), m.values().end())};
}

// Both sides of a comparison with the plain twin, on one thread.
void addTwin(const std::string& name, const Pattern& pattern, Index n) {
  const auto work = std::make_shared<const Work>(pattern, n);
  const auto q = std::make_shared<const Matrix<double>>(converted<double>(work->in.q));
  const auto k = std::make_shared<const Matrix<double>>(converted<double>(work->in.k));
  const auto v = std::make_shared<const Matrix<double>>(converted<double>(work->in.v));
  AttendOptions options;
  options.threads = 1;
  bench::add(
      name + " twin", n, [work] { work->rate(1); },
      [=] { attendReference(*work->pattern, q->view(), k->view(), v->view(), options); });
}

} // namespace

int main(int argc, char** argv) {
  add(denseCases());
  add(sparseCases());
  add(familyCases());
  addModified("full", Full{}, kDense);
  addModified("window 128",
              patternWith("local", {{"window", number(128)}, {"causal", Value{true}}}), kLong);
  addTwin("full", Full{}, 1024);
  addTwin("strided 128", patternWith("strided", {{"stride", number(128)}}), kDense);
  return runBenchmarks(argc, argv);
}
