// Metrics (S13) and the cost model (S14).
#include "core/analysis/cost.h"
#include "core/analysis/entropy_sum.h"
#include "core/analysis/metrics.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>
#include <limits>

using namespace attention;

namespace {

std::shared_ptr<const Prepared> window(Index n, bool causal) {
  Local local;
  local.window = 5;
  local.causal = causal;
  return prepare(local, squareLengths(n));
}

} // namespace

TEST_CASE("a pattern captures all of its own mass, and none if it has no keys") {
  const Index n = 20;
  const RandomQkv<double> in(n, n, 4, 1, 2);
  const auto causal = prepare(Causal{}, squareLengths(n));
  const CapturedMass own = capturedMass(causal, in.qView(), in.kView(), Base::Causal);
  for (const double row : own.rows)
    CHECK(row == Approx(1));
  CHECK(own.mean == Approx(1));
  Local nothing;
  nothing.window = 0;
  CHECK(capturedMass(prepare(nothing, squareLengths(n)), in.qView(), in.kView(), Base::Full).mean ==
        0);
}

TEST_CASE("captured mass is the sum of the base's weights over the pattern") {
  const Index n = 15;
  const RandomQkv<double> in(n, n, 4, 1, 6);
  const auto pattern = window(n, false);
  for (const Base& base : {Base::Full, Base::Causal}) {
    const CapturedMass mass = capturedMass(pattern, in.qView(), in.kView(), base);
    double mean = 0;
    for (Index i = 0; i < n; ++i) {
      double inside = 0;
      double all = 0;
      for (Index j = 0; j < n; ++j) {
        double s = 0;
        for (Index c = 0; c < 4; ++c)
          s += in.q(i, c) * in.k(j, c) / 2;
        if (base == Base::Causal && j > i)
          continue;
        all += std::exp(s);
        inside += pattern->contains(i, j) ? std::exp(s) : 0;
      }
      CHECK(mass.rows[static_cast<std::size_t>(i)] == Approx(inside / all));
      mean += inside / all / static_cast<double>(n);
    }
    CHECK(mass.mean == Approx(mean));
  }
}

TEST_CASE("the mass that is not captured bounds the error of the output") {
  // |o_full − o_sparse|∞ ≤ 2 (1 − mass) max |v| (S13).
  const Index n = 40;
  const RandomQkv<double> in(n, n, 6, 3, 4);
  const auto pattern = window(n, false);
  const auto full =
      attend(*baseOf(Base::Full, squareLengths(n)), in.qView(), in.kView(), in.vView());
  const auto sparse = attend(*pattern, in.qView(), in.kView(), in.vView());
  const CapturedMass mass = capturedMass(pattern, in.qView(), in.kView(), Base::Full);
  double most = 0;
  for (const double v : in.v.values())
    most = std::max(most, std::abs(v));
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < 3; ++c)
      CHECK(std::abs(full.out(i, c) - sparse.out(i, c)) <=
            2 * (1 - mass.rows[static_cast<std::size_t>(i)]) * most + 1e-12);
}

TEST_CASE("The rounded weight of a single key has no entropy") {
  EntropySum single;
  single.add(0.9999995);
  CHECK(single.entropy() == 0);
  EntropySum even; // 4 keys
  for (int k = 0; k < 4; ++k)
    even.add(0.25000001);
  CHECK(even.entropy() == Approx(std::log(4.0)).epsilon(1e-12));
  CHECK(EntropySum().entropy() == 0);
}

TEST_CASE("entropy is that of the weights and is largest for a uniform row") {
  const Index n = 16;
  RandomQkv<double> in(n, n, 4, 1, 6);
  const auto full = prepare(Full{}, squareLengths(n));
  const auto entropies = [&] {
    const auto lse = logSumExp(*full, in.qView(), in.kView());
    return rowEntropies<double>(*full, in.qView(), in.kView(), lse);
  };
  for (const double h : entropies()) {
    CHECK(h > 0);
    CHECK(normalisedEntropy(h, n) <= 1);
  }
  in.q = Matrix<double>(n, 4); // all scores zero
  for (const double h : entropies()) {
    CHECK(h == Approx(std::log(16)));
    CHECK(normalisedEntropy(h, n) == Approx(1));
  }
  CHECK(normalisedEntropy(0, 1) == 1);
  CHECK(normalisedEntropy(0, 0) == 0);
}

TEST_CASE("output errors of equal, zero and different results") {
  const Matrix<double> zero(2, 2);
  const Matrix<double> ones(2, 2, {1, 1, 1, 1});
  const Matrix<double> other(2, 2, {1, 1, 1, 3});
  CHECK(outputError(zero, zero).relativeFrobenius == 0);
  CHECK(outputError(ones, zero).relativeFrobenius == std::numeric_limits<double>::infinity());
  CHECK(outputError(other, ones).relativeFrobenius == 1);
  CHECK(outputError(other, ones).maxAbs == 2);
  CHECK_THROWS_AS(outputError(ones, Matrix<double>(1, 4)), Error);
}

TEST_CASE("the meaningful base is causal exactly where no query sees the future") {
  CHECK(meaningfulBase(prepare(Causal{}, squareLengths(9))) == Base::Causal);
  CHECK(meaningfulBase(prepare(Full{}, squareLengths(9))) == Base::Full);
  CHECK(meaningfulBase(prepare(Full{}, squareLengths(1))) == Base::Causal);
  CHECK(meaningfulBase(window(30, true)) == Base::Causal);
  CHECK(meaningfulBase(window(30, false)) == Base::Full);
  Strided seven;
  seven.stride = 7;
  Fixed eleven;
  eleven.stride = 11;
  Compose cut;
  cut.operation = Operation::Difference;
  cut.of = {Pattern(seven), Pattern(eleven)};
  CHECK(meaningfulBase(prepare(cut, squareLengths(60))) == Base::Causal);
  seven.causal = false;
  cut.of = {Pattern(seven), Pattern(eleven)};
  CHECK(meaningfulBase(prepare(cut, squareLengths(60))) == Base::Full);
}

TEST_CASE("densities and intersection over union are right in edge cases") {
  CHECK(density(6, squareLengths(4)) == 6.0 / 16);
  CHECK(causalDensity(10, squareLengths(4)) == 1);
  CHECK(intersectionOverUnion(0, 0, 0) == 1);
  CHECK(intersectionOverUnion(1, 1, 2) == 0.25);
  for (const Align align : {Align::TopLeft, Align::BottomRight})
    for (const Index queries : {Index{3}, Index{6}, Index{9}}) {
      const Lengths lengths = alignedLengths(queries, 6, align);
      CHECK(causalDensity(prepare(Causal{}, lengths)->pairs(), lengths) == 1);
    }
}

TEST_CASE("the cost of full attention at the largest length is right to the last digit") {
  const SparseCost cost = sparseCost(1024, 64, 64, 1024 * 1024);
  CHECK(cost.flops == 273743872);
  CHECK(cost.ioElements == 262144);
  CHECK(sparseBytes(cost, 4) == 4.0 * (1048576 + 262144));
  // 2^60 pairs: (4 · 64 + 5) 2^60 + 64 · 2^30.
  const SparseCost largest = sparseCost(kMaxLength, 64, 64, kMaxLength * kMaxLength);
  CHECK(largest.flops == std::ldexp(261.0, 60) + std::ldexp(64.0, 30));
  CHECK(linformerCost(1024, 64, 64, 128).flops == 67829760);
  CHECK(randomFeatureCost(4096, 16, 16, 64, 128).flops == 53280768);
  CHECK(lshCost(1024, 64, 64, {2, 16, 64, 1, 0}).sortComparisons == 20480);
  CHECK(lshCost(1, 64, 64, {2, 16, 64, 1, 0}).sortComparisons == 0);
}
