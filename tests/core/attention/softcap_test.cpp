// Soft caps of scores, c tanh(s / c): the float path against the plain twin, and the twin against
// the formula.
#include "core/attention/dense_softmax.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/linformer.h"
#include "core/attention/weights.h"
#include "core/pattern/mechanism/bigbird.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/core/attention/against_twin.h"
#include "tests/core/attention/family_inputs.h"

using namespace attention;

namespace {

AttendOptions capped(double c, std::optional<double> scale = 1) {
  AttendOptions options;
  options.scale = scale;
  options.softcap = c;
  return options;
}

double cappedScore(const RandomQkv<double>& in, Index i, Index j, double scale, double c) {
  double s = 0;
  for (Index x = 0; x < in.q.cols(); ++x)
    s += in.q(i, x) * in.k(j, x);
  return c * std::tanh(scale * s / c);
}

// Softmax of the formula's scores over the keys of a row.
std::vector<double> plainWeights(const Prepared& pattern, const RandomQkv<double>& in, Index i,
                                 double scale, double c) {
  std::vector<double> p(static_cast<std::size_t>(in.k.rows()), 0.0);
  double sum = 0;
  for (Index j = 0; j < in.k.rows(); ++j)
    if (pattern.contains(i, j))
      sum += p[static_cast<std::size_t>(j)] = std::exp(cappedScore(in, i, j, scale, c));
  for (double& x : p)
    x = sum > 0 ? x / sum : 0;
  return p;
}

std::vector<Pattern> somePatterns() {
  Strided strided;
  strided.stride = 7;
  Local local;
  local.window = 5;
  return {Pattern(Full{}), Pattern(Causal{}), Pattern(strided), Pattern(local), Pattern(BigBird{})};
}

} // namespace

TEST_CASE("a soft cap bends scores as its formula says in outputs, weights and log sums") {
  const Index n = 40;
  const double c = GENERATE(0.3, 4.0, 60.0);
  const RandomQkv<double> in(n, n, 6, 3, 21, 1.5);
  for (const Pattern& pattern : somePatterns()) {
    INFO(shortText(pattern) << ", cap " << c);
    const auto prepared = prepare(pattern, squareLengths(n));
    const auto result = attend(*prepared, in.qView(), in.kView(), in.vView(), capped(c, 0.5));
    const WeightSource<double> source{*prepared, in.qView(), in.kView(), result.lse,
                                      Scoring{0.5, c}};
    const Matrix<double> weights = weightsOf(source, prepared->bounds());
    const Matrix<double> implied =
        impliedByPattern<double>(*prepared, in.qView(), in.kView(), capped(c, 0.5)).rowsAt(0, n);
    for (Index i = 0; i < n; ++i) {
      const std::vector<double> p = plainWeights(*prepared, in, i, 0.5, c);
      for (Index j = 0; j < n; ++j) {
        CHECK(weights(i, j) == Approx(p[static_cast<std::size_t>(j)]).margin(1e-12));
        CHECK(implied(i, j) == Approx(p[static_cast<std::size_t>(j)]).margin(1e-12));
        CHECK(weightAt(source, i, j) == Approx(weights(i, j)).margin(1e-12));
      }
      for (Index x = 0; x < 3; ++x) {
        double out = 0;
        for (Index j = 0; j < n; ++j)
          out += p[static_cast<std::size_t>(j)] * in.v(j, x);
        CHECK(result.out(i, x) == Approx(out).margin(1e-11));
      }
    }
  }
}

TEST_CASE(
    "capped attention in floats is the twin's over the whole family on every kind of vector") {
  const Index n = 90;
  onEveryKindOfVectors([n](const std::string&) {
    Dice dice(31);
    forEachMechanism(
        dice, n, 1, [n](std::size_t m) { return RandomQkv<float>(n, n, 5, 3, 40 + m, 2); },
        [](const Prepared& pattern, const RandomQkv<float>& in) {
          for (const double c : {0.5, 3.0, 50.0}) {
            INFO("cap " << c);
            checkAgainstTwin(pattern, in, capped(c));
          }
        });
  });
}

TEST_CASE("capped attention gives the same bits at any number of threads", "[threads]") {
  const Index n = 700;
  const RandomQkv<float> in(n, n, 8, 4, 6);
  for (const Pattern& pattern : somePatterns()) {
    INFO(shortText(pattern));
    const auto prepared = prepare(pattern, squareLengths(n));
    AttendOptions options = capped(2);
    options.threads = 1;
    const auto one = attend(*prepared, in.qView(), in.kView(), in.vView(), options);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      CHECK(sameBits(one, attend(*prepared, in.qView(), in.kView(), in.vView(), options)));
    }
  }
}

TEST_CASE("hidden keys stay hidden under a cap, and scores beyond the range of float are the cap") {
  const RandomQkv<float> in(5, 5, 1, 3, 1);
  const auto full = prepare(Full{}, squareLengths(5));
  AttendOptions options = capped(3, 1e38); // every score is ±3
  const auto result = attend(*full, in.qView(), in.kView(), in.vView(), options);
  for (Index i = 0; i < 5; ++i) {
    double sum = 0;
    double out = 0;
    for (Index j = 0; j < 5; ++j) {
      const double dot = static_cast<double>(in.q(i, 0)) * static_cast<double>(in.k(j, 0));
      const double p = std::exp(dot > 0 ? 3.0 : -3.0);
      sum += p;
      out += p * static_cast<double>(in.v(j, 0));
    }
    CHECK(static_cast<double>(result.out(i, 0)) == Approx(out / sum).epsilon(1e-5));
  }
  const auto causal = prepare(Causal{}, squareLengths(5));
  const auto first = attend(*causal, in.qView(), in.kView(), in.vView(), options);
  for (Index c = 0; c < 3; ++c)
    CHECK(first.out(0, c) == in.v(0, c));
}

TEST_CASE("a cap far above all scores changes no float, however large it is") {
  const RandomQkv<float> in(60, 60, 4, 3, 2);
  const auto causal = prepare(Causal{}, squareLengths(60));
  const auto free = attend(*causal, in.qView(), in.kView(), in.vView());
  for (const double c : {1e6, 1e37, 1e300}) {
    const auto with = attend(*causal, in.qView(), in.kView(), in.vView(), capped(c, {}));
    for (std::size_t x = 0; x < free.out.values().size(); ++x)
      CHECK(with.out.values()[x] == Approx(free.out.values()[x]).margin(2e-5));
  }
  const auto least = attend(*causal, in.qView(), in.kView(), in.vView(), capped(1e-300));
  CHECK(least.lse[59] == Approx(std::log(60.0F))); // all scores are 0
}

TEST_CASE("dense attention and Linformer take the cap of exact attention") {
  const Index n = 30;
  const RandomQkv<double> in(n, n, 4, 3, 8, 2);
  const Scoring scoring{0.7, 1.5};
  const auto full = prepare(Full{}, squareLengths(n));
  const auto exact = attend(*full, in.qView(), in.kView(), in.vView(), capped(1.5, 0.7));
  const auto dense = denseSoftmax(in.qView(), in.kView(), in.vView(), {scoring, false, 1});
  Matrix<double> identity(n, n);
  for (Index i = 0; i < n; ++i)
    identity(i, i) = 1;
  LinformerOptions options;
  options.scale = 0.7;
  options.softcap = 1.5;
  const auto whole = linformer(in.qView(), in.kView(), in.vView(), std::as_const(identity).view(),
                               std::as_const(identity).view(), options);
  for (std::size_t x = 0; x < exact.out.values().size(); ++x) {
    CHECK(dense.out.values()[x] == Approx(exact.out.values()[x]).margin(1e-12));
    CHECK(whole.out.values()[x] == Approx(exact.out.values()[x]).margin(1e-12));
  }
}

TEST_CASE("a cap that is not positive or not finite is refused by name") {
  const auto full = prepare(Full{}, squareLengths(4));
  const RandomQkv<float> in(4, 4, 3, 2, 1);
  const auto code = [&](double c) {
    try {
      attend(*full, in.qView(), in.kView(), in.vView(), capped(c));
    } catch (const Error& error) {
      return std::string(name(error.code())) + " " + error.subject();
    }
    return std::string();
  };
  CHECK(code(0) == "E_RANGE softcap");
  CHECK(code(-2) == "E_RANGE softcap");
  CHECK(code(std::numeric_limits<double>::infinity()) == "E_NONFINITE softcap");
  CHECK(code(std::numeric_limits<double>::quiet_NaN()) == "E_NONFINITE softcap");
}
