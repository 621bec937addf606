// Random features: projections, maps, unbiasedness, stabilisers, and that nothing depends on chunks
// or threads.
#include "core/attention/attend.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/reference.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>
#include <limits>

using namespace attention;

namespace {

constexpr FeatureMap kAll[] = {FeatureMap::Trig,     FeatureMap::GaussianTrig,
                               FeatureMap::Positive, FeatureMap::Hyperbolic,
                               FeatureMap::Relu,     FeatureMap::Elu1};

Projection projectionOf(Index rows, Index d, std::uint64_t seed) {
  return {ProjectionKind::Orthogonal, Norms::Chi, rows, d, seed};
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += a[c] * b[c];
  return sum;
}

Matrix<double> features(const Matrix<double>& x, const Matrix<double>& w,
                        const FeatureOptions& options, FeatureRole role = FeatureRole::Query) {
  return featureMatrix(featuresOf(x.view(), w, options, role, 1), 1);
}

// The largest difference of outputs.
double difference(const Matrix<double>& a, const Matrix<double>& b) {
  double most = 0;
  for (std::size_t x = 0; x < a.values().size(); ++x)
    most = std::max(most, std::abs(a.values()[x] - b.values()[x]));
  return most;
}

} // namespace

TEST_CASE("orthogonal projections are blocks of orthogonal rows with the requested norms") {
  Projection p = projectionOf(11, 4, 5);
  p.norms = Norms::SqrtD;
  const Matrix<double> regular = drawProjection(p);
  p.norms = Norms::Chi;
  const Matrix<double> chi = drawProjection(p);
  for (Index a = 0; a < 11; ++a)
    for (Index b = 0; b < 11; ++b) {
      if (a / 4 != b / 4)
        continue;
      const double product = dot(regular.view().row(a), regular.view().row(b));
      CHECK(product == Approx(a == b ? 4.0 : 0.0).margin(1e-12));
      if (a != b)
        CHECK(std::abs(dot(chi.view().row(a), chi.view().row(b))) < 1e-12);
    }
  CHECK(dot(chi.view().row(0), chi.view().row(0)) != Approx(4.0).epsilon(1e-3));
  const Matrix<double> line = drawProjection({ProjectionKind::Orthogonal, Norms::SqrtD, 5, 1, 3});
  for (const double x : line.values())
    CHECK(std::abs(x) == 1.0);
}

TEST_CASE("projections are a function of the seed and a redraw is the next seed") {
  const Projection p = projectionOf(6, 4, 77);
  CHECK(drawProjection(p) == drawProjection(p));
  CHECK(redrawn(p).seed == 78);
  CHECK_FALSE(drawProjection(p) == drawProjection(redrawn(p)));
  // A longer draw begins with the same rows, since blocks are drawn one by one.
  const Matrix<double> few = drawProjection(p);
  const Matrix<double> many = drawProjection(projectionOf(9, 4, 77));
  CHECK(std::equal(few.values().begin(), few.values().end(), many.values().begin()));
  CHECK(defaultProjections(1) == 1);
  CHECK(defaultProjections(16) == 45);
}

TEST_CASE("the product of two feature rows is the estimator that the lemmas are about") {
  const Index d = 5;
  const Index v = 7;
  const auto q = randomMatrix<double>(1, d, 3, 0);
  const auto k = randomMatrix<double>(1, d, 3, 1);
  const Matrix<double> w = drawProjection({ProjectionKind::Iid, Norms::Chi, v, d, 3});
  const double c = std::pow(5.0, -0.25);
  double plus = 0;
  double trig = 0;
  double both = 0;
  for (Index a = 0; a < v; ++a) {
    const double x = c * dot(w.view().row(a), q.view().row(0));
    const double y = c * dot(w.view().row(a), k.view().row(0));
    plus += std::exp(x + y) / static_cast<double>(v);
    trig += std::cos(x - y) / static_cast<double>(v);
    both += std::cosh(x + y) / static_cast<double>(v);
  }
  const double halves =
      c * c * (dot(q.view().row(0), q.view().row(0)) + dot(k.view().row(0), k.view().row(0))) / 2;
  const auto estimate = [&](FeatureMap map) {
    FeatureOptions options;
    options.map = map;
    const Matrix<double> qf = features(q, w, options);
    CHECK(qf.cols() == featureCount(map, v, d));
    return dot(qf.view().row(0), features(k, w, options, FeatureRole::Key).view().row(0));
  };
  CHECK(estimate(FeatureMap::Positive) == Approx(plus * std::exp(-halves)).epsilon(1e-12));
  CHECK(estimate(FeatureMap::Hyperbolic) == Approx(both * std::exp(-halves)).epsilon(1e-12));
  CHECK(estimate(FeatureMap::Trig) == Approx(trig * std::exp(halves)).epsilon(1e-12));
  CHECK(estimate(FeatureMap::GaussianTrig) == Approx(trig).epsilon(1e-12));
}

TEST_CASE("trigonometric features are exact where query and key are the same") {
  const auto x = randomMatrix<double>(4, 6, 8, 0);
  FeatureOptions options;
  options.map = FeatureMap::Trig;
  const Matrix<double> f = features(x, drawProjection(projectionOf(3, 6, 1)), options);
  for (Index i = 0; i < 4; ++i)
    CHECK(dot(f.view().row(i), f.view().row(i)) ==
          Approx(std::exp(dot(x.view().row(i), x.view().row(i)) / std::sqrt(6.0))).epsilon(1e-12));
}

TEST_CASE("features of every map equal the explicit product in both orders and precisions") {
  const Index n = GENERATE(1, 2, 65, 130);
  const RandomQkv<double> in(n, n, 4, 3, 7, 0.7);
  const RandomQkv<float> single(n, n, 4, 3, 7, 0.7);
  for (const FeatureMap map : kAll) {
    FeatureOptions options;
    options.map = map;
    const Matrix<double> w =
        takesProjections(map) ? drawProjection(projectionOf(9, 4, 2)) : Matrix<double>();
    const Matrix<double> qf = features(in.q, w, options);
    const Matrix<double> kf = features(in.k, w, options, FeatureRole::Key);
    for (const bool causal : {true, false}) {
      const LinearOptions linear{causal, false, 2};
      const auto result = featureAttention(in.qView(), in.kView(), in.vView(), w, options, linear);
      const auto floats =
          featureAttention(single.qView(), single.kView(), single.vView(), w, options, linear);
      for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < 3; ++c) {
          double sum = 0;
          double size = 0; // relative to the terms, which may cancel
          for (Index j = 0; j < (causal ? i + 1 : n); ++j) {
            const double a = dot(qf.view().row(i), kf.view().row(j));
            sum += a * in.v(j, c);
            size += std::sqrt(dot(qf.view().row(i), qf.view().row(i)) *
                              dot(kf.view().row(j), kf.view().row(j))) *
                    std::abs(in.v(j, c));
          }
          CHECK(std::abs(result.out(i, c) - sum) <= 1e-12 * size);
          CHECK(std::abs(static_cast<double>(floats.out(i, c)) - sum) <= 1e-4 * size);
        }
    }
  }
}

TEST_CASE("many positive features approach softmax attention") {
  const Index n = 24;
  const RandomQkv<double> in(n, n, 4, 3, 7, 0.7);
  const auto exact =
      attendReference(*prepare(Full{}, squareLengths(n)), in.qView(), in.kView(), in.vView());
  double before = 1e9;
  for (const Index v : {Index{32}, Index{32768}}) {
    const auto result = featureAttention(in.qView(), in.kView(), in.vView(),
                                         drawProjection(projectionOf(v, 4, 2)), {}, {});
    const double error = difference(result.out, exact.out);
    CHECK(error < before / 4);
    before = error;
  }
  CHECK(before < 0.06);
}

TEST_CASE("stabilisers cancel where eps is zero and prevent overflow") {
  const Index n = 70;
  const RandomQkv<double> in(n, n, 4, 3, 7);
  const Matrix<double> w = drawProjection(projectionOf(16, 4, 1));
  for (const FeatureMap map : {FeatureMap::Positive, FeatureMap::Hyperbolic, FeatureMap::Trig})
    for (const bool causal : {true, false}) {
      const auto outputs = [&](Stabilize stabilize, double eps) {
        FeatureOptions options{map, stabilize, eps, {}};
        return featureAttention(in.qView(), in.kView(), in.vView(), w, options, {causal, true, 2})
            .out;
      };
      const Matrix<double> plain = outputs(Stabilize::Off, 0);
      double largest = 0;
      for (const double x : plain.values())
        largest = std::max(largest, std::abs(x));
      CHECK(difference(plain, outputs(Stabilize::Reference, 0)) < 1e-9 * largest);
      CHECK(difference(plain, outputs(Stabilize::Robust, 0)) < 1e-9 * largest);
      if (map == FeatureMap::Positive)
        CHECK(difference(plain, outputs(Stabilize::Reference, 0.01)) > 1e-4);
    }
}

// Both orders with keys that are stabilised while streaming, against keys stabilised in two passes.
// Sums of n products of m features each: their error is relative to the sum of the terms' sizes, as
// all terms but values are positive.
template <class T>
void checkLevels(const FeatureOptions& options, bool causal) {
  const Index n = 1300; // three spans
  RandomQkv<T> in(n, n, 4, 3, 7, 0.7);
  for (Index j = 0; j < n; ++j) // longer and longer, so that the maximum rises again and again
    for (Index c = 0; c < 4; ++c)
      in.k(j, c) *= T(0.5) + T(2) * static_cast<T>(j) / static_cast<T>(n);
  const Matrix<double> w = drawProjection(projectionOf(20, 4, 2));
  const LinearOptions linear{causal, true, 1};
  const auto ours = featureAttention(in.qView(), in.kView(), in.vView(), w, options, linear);
  const Matrix<double> q = widened(in.q);
  const Matrix<double> k = widened(in.k);
  const Matrix<double> qf = features(q, w, options);
  const Matrix<double> kf = features(k, w, options, FeatureRole::Key);
  // For an exponential: half a unit for each rounding of its argument, which is at most 40.
  const double unit = std::numeric_limits<T>::epsilon();
  const double tolerance = unit * (4 * 40 + std::sqrt(static_cast<double>(n * 20)));
  std::vector<double> sums(static_cast<std::size_t>(kf.cols()));
  Matrix<double> carried(kf.cols(), 3);
  Matrix<double> sizes(kf.cols(), 3);
  Index rows = 0; // that sum their keys
  for (Index i = 0; i < n; ++i) {
    for (; rows < (causal ? i + 1 : n); ++rows)
      for (Index a = 0; a < kf.cols(); ++a) {
        sums[static_cast<std::size_t>(a)] += kf(rows, a);
        for (Index c = 0; c < 3; ++c) {
          carried(a, c) += kf(rows, a) * static_cast<double>(in.v(rows, c));
          sizes(a, c) += kf(rows, a) * std::abs(static_cast<double>(in.v(rows, c)));
        }
      }
    double d = 0;
    double out[3] = {};
    double size[3] = {};
    for (Index a = 0; a < kf.cols(); ++a) {
      d += qf(i, a) * sums[static_cast<std::size_t>(a)];
      for (Index c = 0; c < 3; ++c) {
        out[c] += qf(i, a) * carried(a, c);
        size[c] += qf(i, a) * sizes(a, c);
      }
    }
    REQUIRE(std::abs(static_cast<double>(ours.denominators[static_cast<std::size_t>(i)]) - d) <=
            tolerance * d);
    for (Index c = 0; c < 3; ++c)
      REQUIRE(std::abs(static_cast<double>(ours.out(i, c)) - out[c] / d) <=
              2 * tolerance * size[c] / d);
  }
  CHECK(ours.flagged().empty());
}

TEST_CASE("keys stabilised while streaming equal keys stabilised in two passes") {
  const bool causal = GENERATE(false, true);
  for (const FeatureMap map : {FeatureMap::Positive, FeatureMap::Hyperbolic})
    for (const Stabilize stabilize : {Stabilize::Reference, Stabilize::Robust})
      for (const double eps : {0.0, 1e-3}) {
        checkLevels<double>({map, stabilize, eps, {}}, causal);
        checkLevels<float>({map, stabilize, eps, {}}, causal);
      }
}

TEST_CASE("for long vectors the reference stabiliser leaves empty rows and the robust one none") {
  const Index n = 12;
  const RandomQkv<double> in(n, n, 4, 3, 7, 100);
  const Matrix<double> w = drawProjection(projectionOf(16, 4, 1));
  const auto result = [&](Stabilize stabilize) {
    FeatureOptions options{FeatureMap::Positive, stabilize, {}, {}};
    return featureAttention(in.qView(), in.kView(), in.vView(), w, options, {});
  };
  CHECK(result(Stabilize::Reference).zeroRows.size() == 12);
  FeatureOptions robust{FeatureMap::Positive, Stabilize::Robust, {}, {}};
  const Matrix<double> qf = features(in.q, w, robust);
  for (Index i = 0; i < n; ++i)
    CHECK(*std::max_element(qf.view().row(i).begin(), qf.view().row(i).end()) == 0.25);
  FeatureOptions off;
  off.map = FeatureMap::Trig; // e^h alone overflows
  CHECK(featureAttention(in.qView(), in.kView(), in.vView(), w, off, {}).nonFiniteRows.size() > 0);
}

TEST_CASE("feature attention gives the same bits at any number of threads", "[threads]") {
  const Index n = 1300;
  const RandomQkv<float> in(n, n, 5, 3, 6);
  const Matrix<double> w = drawProjection(projectionOf(20, 5, 4));
  for (const bool causal : {true, false})
    for (const Stabilize stabilize : {Stabilize::Off, Stabilize::Robust}) {
      const FeatureOptions options{FeatureMap::Hyperbolic, stabilize, 1e-3, {}};
      const auto at = [&](int threads) {
        return featureAttention(in.qView(), in.kView(), in.vView(), w, options,
                                {causal, true, threads});
      };
      const auto one = at(1);
      for (const int threads : {2, 3}) {
        const auto more = at(threads);
        CHECK(one.out == more.out);
        CHECK(one.denominators == more.denominators);
      }
    }
}

TEST_CASE("feature attention stops when asked", "[threads]") {
  const Index n = 4000;
  const RandomQkv<float> in(n, n, 4, 2, 6);
  std::stop_source source;
  Run run;
  run.stop = source.get_token();
  run.progress = [&](double) { source.request_stop(); };
  const Matrix<double> w = drawProjection(projectionOf(8, 4, 4));
  for (const bool causal : {true, false})
    CHECK_THROWS_AS(
        featureAttention(in.qView(), in.kView(), in.vView(), w, {}, {causal, true, 2}, run),
        Stopped);
}

TEST_CASE("the matrix of features times the values is their output") {
  const Index n = 70;
  const RandomQkv<double> in(n, n, 4, 3, 7, 0.5);
  const Matrix<double> w = drawProjection(projectionOf(12, 4, 1));
  for (const FeatureMap map : {FeatureMap::Positive, FeatureMap::Trig})
    for (const bool causal : {true, false}) {
      FeatureOptions options;
      options.map = map;
      const LinearOptions linear{causal, true, 1};
      const auto result = featureAttention(in.qView(), in.kView(), in.vView(), w, options, linear);
      const auto implied =
          impliedByFeatures(featuresOf(in.qView(), w, options, FeatureRole::Query),
                            featuresOf(in.kView(), w, options, FeatureRole::Key), linear);
      const Matrix<double> a = implied.rowsAt(60, 70);
      for (Index i = 60; i < 70; ++i)
        for (Index c = 0; c < 3; ++c) {
          double sum = 0;
          for (Index j = 0; j < n; ++j)
            sum += a(i - 60, j) * in.v(j, c);
          CHECK(sum == Approx(result.out(i, c)).margin(1e-9));
        }
    }
}

TEST_CASE("ReLU features take given projections or none") {
  const auto x = randomMatrix<double>(3, 4, 5, 0);
  FeatureOptions options;
  options.map = FeatureMap::Relu;
  const Matrix<double> own = features(x, {}, options);
  const double c = std::pow(4.0, -0.25);
  CHECK(own(1, 2) == Approx(std::max(0.0, c * x(1, 2)) + 0.001));
  Matrix<double> identity(4, 4);
  for (Index a = 0; a < 4; ++a)
    identity(a, a) = 1;
  CHECK(features(x, identity, options)(1, 2) == Approx(std::max(0.0, c * x(1, 2) / 2) + 0.001));
}

TEST_CASE("features and projections are refused by name") {
  CHECK(codeAndSubject([] { featureMapNamed("positiv"); }) == "E_UNKNOWN features");
  CHECK(codeAndSubject([] { stabilizeNamed("on"); }) == "E_RANGE stabilize");
  CHECK(codeAndSubject([] { projectionNamed("qr"); }) == "E_RANGE projection");
  CHECK(codeAndSubject([] { normsNamed("one"); }) == "E_RANGE norms");
  CHECK(codeAndSubject([] { drawProjection(projectionOf(0, 4, 1)); }) == "E_RANGE m");
  CHECK(codeAndSubject([] { drawProjection(projectionOf(4, 0, 1)); }) == "E_RANGE d");
  for (const std::string_view name : featureMapNames())
    CHECK(attention::name(featureMapNamed(name)) == name);
  const RandomQkv<double> in(5, 5, 4, 2, 1);
  const auto run = [&](const Matrix<double>& w, const FeatureOptions& options, bool normalized) {
    return codeAndSubject([&] {
      featureAttention(in.qView(), in.kView(), in.vView(), w, options, {false, normalized, 1});
    });
  };
  Matrix<double> w = drawProjection(projectionOf(3, 4, 1));
  CHECK(run(w, {}, true).empty());
  CHECK(run({}, {}, true) == "E_TYPE W");
  CHECK(run(drawProjection(projectionOf(3, 5, 1)), {}, true) == "E_SHAPE W");
  CHECK(run(w, {FeatureMap::Positive, Stabilize::Off, -1.0, {}}, true) == "E_RANGE eps");
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(run(w, {FeatureMap::Positive, Stabilize::Off, inf, {}}, true) == "E_NONFINITE eps");
  CHECK(run(w, {FeatureMap::Positive, Stabilize::Robust, {}, {}}, false) == "E_RANGE stabilize");
  w(0, 0) = inf;
  CHECK(run(w, {}, true) == "E_NONFINITE W");
}
