// Times of real mechanisms with a clock that ticks once per reading: what runs, what it is reported
// to cost, and what is refused.
#include "core/analysis/cost.h"
#include "core/analysis/score/score_board.h"
#include "core/analysis/timing/fma_peak.h"
#include "core/analysis/timing/measure.h"
#include "core/pattern/beginning.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/topk.h"
#include "core/support/error.h"
#include "core/views/timings/scene_timings.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>
#include <set>
#include <utility>

using namespace attention;

namespace {

// A millisecond between one reading and the next, so every part of a run takes one.
Clock ticking() {
  return [now = 0.0]() mutable { return now += 1e-3; };
}

TimingOptions optionsOf(std::vector<Index> sizes) {
  TimingOptions options;
  options.sizes = std::move(sizes);
  options.d = 8;
  options.fitFrom = 1;
  options.sampling.samples = 2;
  options.sampling.leastSample = 0;
  options.sampling.clock = ticking();
  return options;
}

Timings timingsOf(const std::vector<ScoredMethod>& methods, const TimingOptions& options,
                  const Run& run = {}) {
  return measureTimings(methods, timingInput(options.d, options.heads, 5), options, {}, run);
}

FeatureMethod features(FeatureMap map, Index m) {
  FeatureMethod method;
  method.features.map = map;
  method.projection.rows = m;
  method.projection.d = 8;
  return method;
}

Pattern topk(Index k) {
  TopK top;
  top.k = k;
  return top;
}

} // namespace

TEST_CASE("times of every kind of mechanism record what was computed", "[timing]") {
  const std::vector<ScoredMethod> methods{Pattern(Full{}),
                                          Pattern(Causal{}),
                                          topk(4),
                                          features(FeatureMap::Positive, 16),
                                          features(FeatureMap::Elu1, 1),
                                          LinformerMethod{4, 0}};
  TimingOptions options = optionsOf({32, 16, 32});
  options.heads = 2;
  const Timings timings = timingsOf(methods, options);
  REQUIRE(timings.rows.size() == 12);
  for (std::size_t k = 0; k < 12; ++k) {
    const TimingRow& row = timings.rows[k];
    CHECK(row.method == k / 2);
    CHECK(row.n == (k % 2 == 0 ? 16 : 32));
    CHECK(row.chooses == (row.method == 2));
    CHECK(row.seconds.median == Approx(row.chooses ? 2e-3 : 1e-3));
    CHECK(row.attending.median == Approx(1e-3));
    CHECK(row.seconds.samples == 2);
    CHECK(row.gflops == Approx(row.work.usefulFlops / row.seconds.median * 1e-9));
  }
  CHECK(timings.rows[1].work.pairs == 2 * 32 * 32);
  CHECK(timings.rows[3].work.pairs == 32 * 33);
  CHECK(timings.rows[5].work.pairs == 2 * 4 * 32);
  CHECK_FALSE(timings.rows[7].work.pairs);
  CHECK(timings.rows[1].work.flops == 2 * sparseCost(32, 8, 8, 32 * 32).flops);
  CHECK(timings.rows[1].work.usefulFlops == 2 * 4 * 8 * 32 * 32); // heads · 4 d pairs
  CHECK(timings.rows[5].work.usefulFlops == 2 * 4 * 8 * 4 * 32);
  CHECK(timings.rows[5].work.flops ==
        2 * (sparseCost(32, 8, 8, 4 * 32).flops + 2 * 8 * 32 * 32)); // and all scores
  CHECK(timings.rows[7].work.usefulFlops == 2 * randomFeatureCost(32, 8, 8, 16, 16).matmulFlops);
  CHECK(timings.rows[1].work.bytes == 2 * 4 * (32 * 32 + 4 * 32 * 8)); // scores, Q, K, V, O
  CHECK(timings.rows[9].work.flops == 2 * randomFeatureCost(32, 8, 8, 0, 8).flops);
  const RandomFeatureCost elu1 = randomFeatureCost(32, 8, 8, 0, 8);
  CHECK(timings.rows[9].work.bytes ==
        2 * 4 * (elu1.ioElements + elu1.featureElements + elu1.stateElements));
  CHECK(timings.rows[11].work.usefulFlops == 2 * linformerCost(32, 8, 8, 4).matmulFlops);
  CHECK(timings.peak.samples == 4); // once per size and round
  CHECK(timings.peakGflops == Approx(peakFlops(1 << 20, 1) / 1e-3 * 1e-9));
  CHECK(timings.rows[0].peakShare == Approx(timings.rows[0].gflops / timings.peakGflops));
  REQUIRE(timings.exponents.size() == 6);
  REQUIRE(timings.exponents[0].predicted);
  CHECK(timings.exponents[0].predicted->exponent == Approx(2).epsilon(0.02));
  CHECK(timings.exponents[3].predicted->exponent == Approx(1));
  CHECK(timings.omitted.empty());
}

TEST_CASE("the seconds of a score are those of the fastest of several short runs of each head",
          "[timing]") {
  const RandomQkv<double> in(8, 8, 2, 2, 1, 1);
  const ScoredInput<double> input{
      8, 3, [&](Index) {
        return ScoredHead<double>{in.q, in.k, in.v, patternData<double>(in.qView(), in.kView())};
      }};
  // Milliseconds between one reading of the clock and the next: preparing, then the runs of each
  // head.
  const std::vector<double> takes{1, 9, 5, 8, 30, 60, 2, 1, 1, 1, 1};
  std::size_t looks = 0;
  double now = 0;
  ScoreOptions options;
  options.threads = 1;
  options.clock = [&] {
    if (looks++ % 2 == 1)
      now += 1e-3 * takes.at(looks / 2 - 1);
    return now;
  };
  double told = 0;
  bool falls = false;
  Run run;
  run.progress = [&](double share) { falls = std::exchange(told, share) > share || falls; };
  const std::vector<ScoredMethod> methods{Pattern(Full{})};
  const auto scores = scoreBoard<double>(methods, input, options, {}, run);
  CHECK(looks == 2 * takes.size());
  CHECK(scores[0].prepareSeconds == Approx(1e-3));
  CHECK(scores[0].seconds == Approx(66e-3)); // 5 of four runs, 60 of one, 1 of five
  CHECK_FALSE(falls);
}

TEST_CASE("every mechanism of the project can be timed", "[timing]") {
  std::vector<ScoredMethod> methods;
  for (const Pattern& pattern : allMechanisms())
    if (const std::string name = description(pattern).name; name != "given")
      methods.emplace_back(beginning(pattern, 128));
  for (const FeatureMap map :
       {FeatureMap::Trig, FeatureMap::GaussianTrig, FeatureMap::Hyperbolic, FeatureMap::Relu})
    methods.emplace_back(features(map, 4));
  for (const Kernel kernel : {Kernel::Softmax, Kernel::Gaussian, Kernel::Elu1, Kernel::Relu})
    methods.emplace_back(KernelMethod{kernel, true});
  TimingOptions options = optionsOf({128});
  options.sampling.samples = 1;
  const Timings timings = timingsOf(methods, options);
  REQUIRE(timings.rows.size() == methods.size());
  for (const TimingRow& row : timings.rows) {
    INFO(methodText(methods[row.method]));
    CHECK(row.work.usefulFlops > 0);
    const auto* pattern = std::get_if<Pattern>(&methods[row.method]);
    CHECK(row.chooses == (pattern && needsData(*pattern)));
  }
}

TEST_CASE("partial results grow sample by sample", "[timing]") {
  const std::vector<ScoredMethod> methods{Pattern(Full{}), Pattern(Causal{})};
  const TimingOptions options = optionsOf({8, 16});
  std::vector<std::size_t> rows;
  Index samples = 0;
  measureTimings(methods, timingInput(8, 1, 0), options, [&](const Timings& timings) {
    rows.push_back(timings.rows.size());
    Index now = 0;
    for (const TimingRow& row : timings.rows)
      now += row.seconds.samples;
    CHECK(now >= samples);
    samples = now;
  });
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  CHECK(rows.back() == 4);
  CHECK(std::set<std::size_t>(rows.begin(), rows.end()).size() == 5);
  CHECK(samples == 8);
}

TEST_CASE("a size that would take too long is named and not run", "[timing]") {
  TimingOptions options = optionsOf({16, 32, 64});
  options.sampling.longest = 2e-3; // 1 ms at 16 predicts 4 ms at 32
  const Timings timings = timingsOf({Pattern(Full{})}, options);
  REQUIRE(timings.rows.size() == 1);
  REQUIRE(timings.omitted.size() == 2);
  CHECK(timings.omitted[0].n == 32);
  CHECK(timings.omitted[0].why == TimingOmission::Why::TooLong);
  CHECK(timings.omitted[0].seconds == Approx(4e-3).epsilon(0.05));
  CHECK(timings.omitted[1].seconds == Approx(16e-3).epsilon(0.05));
}

TEST_CASE("causal features attend to no later key and say so", "[timing]") {
  FeatureMethod method = features(FeatureMap::Elu1, 1);
  CHECK(methodText(ScoredMethod(method)) == "elu1 features");
  method.causal = true;
  CHECK(methodText(ScoredMethod(method)) == "elu1 features, causal");
  CHECK(timingsOf({method}, optionsOf({16})).rows.size() == 1);
}

TEST_CASE("inputs of a seed are the same and shorter ones are the beginnings of longer ones",
          "[timing]") {
  const TimedHead small = timingInput(4, 2, 9)(5, 1, {});
  const TimedHead large = timingInput(4, 2, 9)(8, 1, {});
  for (Index i = 0; i < 5; ++i)
    for (Index c = 0; c < 4; ++c) {
      CHECK(small.q(i, c) == large.q(i, c));
      CHECK(small.k(i, c) == large.k(i, c));
      CHECK(small.v(i, c) == large.v(i, c));
    }
  CHECK_FALSE(small.q == timingInput(4, 2, 8)(5, 1, {}).q);
  CHECK_FALSE(small.q == timingInput(4, 2, 9)(5, 0, {}).q);
}

TEST_CASE("the register loop depends on every round and stops", "[timing]") {
  CHECK(peakFlops(10, 1) == 10 * peakFlops(1, 1));
  CHECK(peakFlops(10, 3) == 3 * peakFlops(10, 1));
  CHECK_FALSE(peakVectors().empty());
  const float one = runPeakLoop(1, 1);
  CHECK(std::isfinite(one));
  CHECK(runPeakLoop(2, 1) != one);
  CHECK(runPeakLoop(1, 2) == 2 * one);
  CHECK(std::isfinite(runPeakLoop(100000, 1)));
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(runPeakLoop(1, 1, Run{source.get_token(), {}}), Stopped);
}

TEST_CASE("what cannot be timed is refused before any work starts", "[timing]") {
  const auto refused = [](const std::vector<ScoredMethod>& methods, const TimingOptions& options) {
    return codeAndSubject([&] {
      measureTimings(
          methods,
          [](Index, Index, const Run&) -> TimedHead {
            FAIL("an input was asked for");
            return {};
          },
          options);
    });
  };
  const Pattern full = Full{};
  Local window;
  window.window = -1;
  const std::vector<ScoredMethod> one{full};
  CHECK(refused({}, optionsOf({8})) == "E_TYPE mechanism");
  CHECK(refused(one, optionsOf({})) == "E_TYPE n");
  CHECK(refused(one, optionsOf({8, 0})) == "E_N n");
  CHECK(refused({Pattern(window)}, optionsOf({8, 16})) == "E_RANGE window");
  CHECK(refused({LinformerMethod{0, 0}}, optionsOf({8})) == "E_RANGE k");
  TimingOptions options = optionsOf({8});
  options.heads = 0;
  CHECK(refused(one, options) == "E_RANGE heads");
  options = optionsOf({8});
  options.sampling.samples = 0;
  CHECK(refused(one, options) == "E_RANGE samples");
  options = optionsOf({8});
  options.sampling.seconds = 0;
  CHECK(refused(one, options) == "E_RANGE seconds");
  options.sampling.seconds = std::nan("");
  CHECK(refused(one, options) == "E_RANGE seconds");
  options = optionsOf({8});
  options.fitFrom = 0;
  CHECK(refused(one, options) == "E_RANGE fit-from");
  options = optionsOf({8});
  options.d = 0;
  CHECK(refused(one, options) == "E_RANGE d");
}
