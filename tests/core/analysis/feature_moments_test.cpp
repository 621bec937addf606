// Closed forms against each other, against the theorems, and against Monte Carlo.
#include "core/analysis/feature_moments.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>

using namespace attention;

namespace {

constexpr FeatureMap kMaps[] = {FeatureMap::Trig, FeatureMap::Positive, FeatureMap::Hyperbolic};

Matrix<double> pair(Index d, std::uint64_t seed, double sigma) {
  return randomMatrix<double>(2, d, seed, 0, sigma);
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += a[c] * b[c];
  return sum;
}

// The estimate of one draw of projections, by the definition.
double estimate(FeatureMap map, const Matrix<double>& w, std::span<const double> x,
                std::span<const double> y) {
  double sum = 0;
  for (Index a = 0; a < w.rows(); ++a) {
    const double u = dot(w.view().row(a), x);
    const double t = dot(w.view().row(a), y);
    sum += map == FeatureMap::Trig       ? std::cos(u - t)
           : map == FeatureMap::Positive ? std::exp(u + t)
                                         : std::cosh(u + t);
  }
  const double halves = (dot(x, x) + dot(y, y)) / 2;
  return std::exp(map == FeatureMap::Trig ? halves : -halves) * sum / static_cast<double>(w.rows());
}

} // namespace

TEST_CASE("the moments of independent projections are those of Lemma 2") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto d = static_cast<Index>(1 + seed % 8);
    const auto v = static_cast<Index>(1 + seed % 5);
    const Matrix<double> xy = pair(d, seed, 0.6);
    const auto x = xy.view().row(0);
    const auto y = xy.view().row(1);
    for (const FeatureMap map : kMaps) {
      const Moments m = estimatorMoments({map, ProjectionKind::Iid, Norms::Chi}, x, y, v);
      CHECK(m.kernel == Approx(std::exp(dot(x, y))).epsilon(1e-13));
      CHECK(m.mean == Approx(m.kernel).epsilon(1e-13));
      CHECK(m.variance == Approx(lemma2Mse(map, x, y, v)).epsilon(1e-10));
      CHECK(m.mse == Approx(m.variance).epsilon(1e-12));
    }
  }
}

TEST_CASE("orthogonal positive features obey Theorems 1 and 2") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto d = static_cast<Index>(1 + seed % 9);
    const Matrix<double> xy = pair(d, seed, 0.6);
    const auto x = xy.view().row(0);
    const auto y = xy.view().row(1);
    for (Index v = 1; v <= d; ++v) {
      const Moments m = estimatorMoments({}, x, y, v);
      CHECK(m.mean == Approx(m.kernel).epsilon(1e-12));
      CHECK(m.variance <= theorem2Bound(x, y, v) * (1 + 1e-9) + 1e-12);
      const Moments regular = estimatorMoments(
          {FeatureMap::Positive, ProjectionKind::Orthogonal, Norms::SqrtD}, x, y, v);
      CHECK(regular.mean <= m.kernel * (1 + 1e-12));
    }
  }
  CHECK(theorem1LeastRatio(64) == Approx(0.5));
}

TEST_CASE("closed forms agree with Monte Carlo within five standard errors") {
  const std::vector<double> x{0.3, -0.2, 0.4, 0.1};
  const std::vector<double> y{0.2, 0.5, -0.1, 0.3};
  struct Draw {
    ProjectionKind kind;
    Norms norms;
    Index v;
  };
  constexpr int kDraws = 6000;
  for (const Draw& draw :
       {Draw{ProjectionKind::Iid, Norms::Chi, 6}, Draw{ProjectionKind::Orthogonal, Norms::Chi, 4},
        Draw{ProjectionKind::Orthogonal, Norms::Chi, 6},
        Draw{ProjectionKind::Orthogonal, Norms::SqrtD, 5}}) {
    std::vector<std::vector<double>> values(3);
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const Matrix<double> w = drawProjection({draw.kind, draw.norms, draw.v, 4, seed});
      for (std::size_t m = 0; m < 3; ++m)
        values[m].push_back(estimate(kMaps[m], w, x, y));
    }
    for (std::size_t m = 0; m < 3; ++m) {
      const Moments moments = estimatorMoments({kMaps[m], draw.kind, draw.norms}, x, y, draw.v);
      double mean = 0;
      for (const double value : values[m])
        mean += value / kDraws;
      double second = 0;
      double fourth = 0;
      for (const double value : values[m]) {
        second += std::pow(value - mean, 2) / kDraws;
        fourth += std::pow(value - mean, 4) / kDraws;
      }
      INFO(name(kMaps[m]) << " " << name(draw.kind) << " " << name(draw.norms));
      CHECK(std::abs(mean - moments.mean) < 5 * std::sqrt(moments.variance / kDraws));
      CHECK(std::abs(second - moments.variance) <
            5 * std::sqrt((fourth - second * second) / kDraws));
    }
  }
}

TEST_CASE("trigonometric estimates are exact at x = y and get worse as the kernel gets smaller") {
  const std::vector<double> x{0.4, -1.2, 0.7};
  const std::vector<double> far{-0.4, 1.2, -0.7};
  for (const Norms norms : {Norms::Chi, Norms::SqrtD})
    for (const ProjectionKind kind : {ProjectionKind::Iid, ProjectionKind::Orthogonal})
      CHECK(estimatorMoments({FeatureMap::Trig, kind, norms}, x, x, 4).variance ==
            Approx(0).margin(1e-12));
  CHECK(lemma2Mse(FeatureMap::Trig, x, x, 3) == 0);
  // x = −y: SM is smallest, positive features are exact.
  CHECK(lemma2Mse(FeatureMap::Positive, x, far, 3) == 0);
  CHECK(lemma2Mse(FeatureMap::Trig, x, far, 3) > 1);
  // x·y = 0 and equal lengths: the ratio is (1 − e^(−2 |x|²)) / 2.
  const std::vector<double> a{0.8, 0};
  const std::vector<double> b{0, 0.8};
  CHECK(lemma2Mse(FeatureMap::Trig, a, b, 3) / lemma2Mse(FeatureMap::Positive, a, b, 3) ==
        Approx((1 - std::exp(-1.28)) / 2));
}

TEST_CASE("moments of long vectors stay finite where the result does") {
  std::vector<double> x(16, 12.0);
  std::vector<double> y(16, -12.0);
  y[0] += 0.01;
  const Moments m = estimatorMoments({}, x, y, 32);
  CHECK(std::isfinite(m.variance));
  CHECK(m.kernel == Approx(std::exp(dot(x, y))));
  const Moments same =
      estimatorMoments({FeatureMap::Trig, ProjectionKind::Orthogonal, Norms::Chi}, x, x, 8);
  CHECK(same.variance == 0);
}

TEST_CASE("hypergeometric functions satisfy their closed cases and recurrences") {
  // 1F1(2; 1; z) = (1 + z) e^z; 1F1(4; 2; z) = e^z (1 + z + z²/6).
  for (const double z : {0.0, 1e-3, 1.0, 30.0, 3000.0}) {
    CHECK(logKummer(2, z) == Approx(z + std::log1p(z)).epsilon(1e-13));
    CHECK(logKummer(4, z) == Approx(z + std::log(1 + z + z * z / 6)).epsilon(1e-13));
    CHECK(kummerOfNegative(2, z) == Approx(std::exp(-z) * (1 - z)).margin(1e-15));
    CHECK(kummerOfNegative(4, z) == Approx(std::exp(-z) * (1 - z + z * z / 6)).margin(1e-15));
  }
  // 0F1(; 1/2; z) = cosh 2√z, 0F1(; 3/2; z) = sinh(2√z) / 2√z, and their cosines.
  for (const double root : {0.01, 0.5, 3.0, 5.9, 6.1, 20.0, 400.0}) {
    const double z = root * root;
    if (root < 300) {
      CHECK(logBesselSeries(1, z) == Approx(std::log(std::cosh(2 * root))).epsilon(1e-12));
      CHECK(logBesselSeries(3, z) ==
            Approx(std::log(std::sinh(2 * root) / (2 * root))).margin(1e-13).epsilon(1e-12));
    }
    CHECK(besselOfNegative(1, z) == Approx(std::cos(2 * root)).margin(1e-13));
    CHECK(besselOfNegative(3, z) == Approx(std::sin(2 * root) / (2 * root)).margin(1e-13));
  }
  // Contiguous: 0F1(; b − 1; z) − 0F1(; b; z) = z / (b (b − 1)) 0F1(; b + 1; z), b = d/2.
  for (const Index d : {5, 16, 31})
    for (const double z : {0.5, 30.0, 37.0, 600.0}) {
      const double b = static_cast<double>(d) / 2;
      CHECK(besselOfNegative(d - 2, z) - besselOfNegative(d, z) ==
            Approx(-z / (b * (b - 1)) * besselOfNegative(d + 2, z)).margin(1e-11));
    }
}

TEST_CASE("block pairs are ordered pairs of rows in one block") {
  CHECK(blockPairs(4, 4) == 12);
  CHECK(blockPairs(6, 4) == 14);
  CHECK(blockPairs(1, 4) == 0);
  CHECK(blockPairs(5, 1) == 0);
}

TEST_CASE("Theorem 4 asks for a number of projections that grows only with the radius") {
  CHECK(theorem4Order(64, 1, 0.1) > theorem4Order(64, 1, 0.2));
  CHECK(theorem4Order(64, 2, 0.1) > theorem4Order(64, 1, 0.1));
  const double delta = 0.1 / std::exp(1 / 8.0);
  CHECK(theorem4Order(64, 1, 0.1) ==
        Approx(64 / (delta * delta) * std::log(4 * std::pow(64, 0.75) / delta)));
}

TEST_CASE("moments and bounds refuse what they are not defined for by name") {
  const std::vector<double> x{1, 2};
  const std::vector<double> longer{1, 2, 3};
  CHECK(codeAndSubject([&] {
          estimatorMoments({FeatureMap::Relu, {}, {}}, x, x, 1);
        }) == "E_RANGE features");
  CHECK(codeAndSubject([&] { lemma2Mse(FeatureMap::Elu1, x, x, 1); }) == "E_RANGE features");
  CHECK(codeAndSubject([&] { estimatorMoments({}, x, longer, 1); }) == "E_SHAPE y");
  CHECK(codeAndSubject([&] { estimatorMoments({}, x, x, 0); }) == "E_RANGE m");
  CHECK(codeAndSubject([&] { theorem2Bound(x, x, 3); }) == "E_RANGE m");
  CHECK(codeAndSubject([&] { theorem1LeastRatio(0); }) == "E_RANGE d");
  CHECK(codeAndSubject([&] { theorem4Order(0, 1, 1); }) == "E_RANGE d");
  CHECK(codeAndSubject([&] { theorem4Order(4, 0, 1); }) == "E_RANGE radius");
  CHECK(codeAndSubject([&] { theorem4Order(4, 1, 0); }) == "E_RANGE epsilon");
}
