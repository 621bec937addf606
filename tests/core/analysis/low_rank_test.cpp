// Eckart–Young on random matrices, products of low rank, and the randomised spectrum against the
// exact one.
#include "core/analysis/low_rank.h"
#include "core/attention/linformer.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>
#include <limits>
#include <utility>

using namespace attention;

namespace {

double frobenius(const Matrix<double>& a) {
  double sum = 0;
  for (const double x : a.values())
    sum += x * x;
  return std::sqrt(sum);
}

Matrix<double> difference(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c = a;
  for (std::size_t x = 0; x < c.values().size(); ++x)
    c.data()[x] -= b.values()[x];
  return c;
}

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j)
      for (Index t = 0; t < a.cols(); ++t)
        c(i, j) += a(i, t) * b(t, j);
  return c;
}

ImpliedMatrix<double> rowsOfMatrix(const Matrix<double>& a) {
  return {a.rows(), a.cols(), [&a](Index begin, Index end) {
            Matrix<double> rows(end - begin, a.cols());
            std::copy_n(a.data() + begin * a.cols(), (end - begin) * a.cols(), rows.data());
            return rows;
          }};
}

} // namespace

TEST_CASE("the best approximation of rank m has the error that the singular values say") {
  const Index n = GENERATE(1, 2, 7, 20);
  const auto a = randomMatrix<double>(n, n + 2, 4, 0);
  const Svd of = svd(a);
  const std::vector<double> values = singularValues(a);
  const RankErrors errors = rankErrors(values);
  REQUIRE(errors.frobenius.size() == static_cast<std::size_t>(n + 1));
  for (Index m = 0; m <= n; ++m) {
    const auto at = static_cast<std::size_t>(m);
    const Matrix<double> rest = difference(a, bestApproximation(of, m));
    CHECK(frobenius(rest) == Approx(errors.frobenius[at]).margin(1e-12));
    CHECK(singularValues(rest).front() == Approx(errors.spectral[at]).margin(1e-12));
    if (m < 1)
      continue;
    // No other product with inner dimension m is closer, and its rank is at most m.
    const Matrix<double> other =
        product(randomMatrix<double>(n, m, 5, 0), randomMatrix<double>(m, n + 2, 5, 1));
    CHECK(frobenius(difference(a, other)) >= errors.frobenius[at] - 1e-12);
    CHECK(numericalRank(singularValues(other)) <= m);
  }
}

TEST_CASE("equal singular values are the worst case for low rank") {
  Matrix<double> identity(16, 16);
  for (Index i = 0; i < 16; ++i)
    identity(i, i) = 1;
  const RankErrors errors = rankErrors(singularValues(identity));
  CHECK(errors.frobenius[4] / errors.frobenius[0] == Approx(std::sqrt(1 - 4.0 / 16)));
  CHECK(errors.spectral[15] == Approx(1));
  CHECK(errors.spectral[16] == 0);
}

TEST_CASE("attention matrices are softmax rows or exponentials, causal or not") {
  const RandomQkv<double> in(70, 70, 4, 2, 3);
  const auto whole = [&](LowRankObject object, bool causal) {
    return wholeMatrix(attentionRows(in.qView(), in.kView(), {0.5}, object, causal), 2);
  };
  const Matrix<double> p = whole(LowRankObject::Softmax, false);
  const Matrix<double> a = whole(LowRankObject::Exponentials, false);
  const Matrix<double> cut = whole(LowRankObject::Softmax, true);
  for (const Index i : {Index{0}, Index{1}, Index{33}, Index{69}}) {
    double sum = 0;
    double seen = 0;
    for (Index j = 0; j < 70; ++j) {
      double score = 0;
      for (Index c = 0; c < 4; ++c)
        score += 0.5 * in.q(i, c) * in.k(j, c);
      CHECK(a(i, j) == Approx(std::exp(score)));
      sum += a(i, j);
      seen += j <= i ? a(i, j) : 0;
    }
    for (Index j = 0; j < 70; ++j) {
      CHECK(p(i, j) == Approx(a(i, j) / sum));
      CHECK(cut(i, j) == Approx(j <= i ? a(i, j) / seen : 0));
    }
  }
  CHECK(whole(LowRankObject::Exponentials, true)(3, 4) == 0);
}

TEST_CASE("the matrix of Linformer has at most rank k") {
  const Index n = 40;
  const RandomQkv<double> in(n, n, 8, 3, 2);
  const Matrix<double> e = drawLinformer(6, n, 3, LinformerSide::Keys);
  const Matrix<double> f = drawLinformer(6, n, 3, LinformerSide::Values);
  const auto result = linformer(in.qView(), in.kView(), in.vView(), e.view(), f.view());
  const auto implied = impliedByLinformer(
      in.qView(), MatrixView<const double>(std::as_const(result.projectedKeys).view()), f.view(),
      {1 / std::sqrt(8.0)});
  CHECK(numericalRank(singularValues(wholeMatrix(implied))) == 6);
}

TEST_CASE("the randomised spectrum encloses the errors of the exact one") {
  const RandomQkv<double> in(90, 90, 4, 2, 3, 1.5);
  const auto rows = attentionRows(in.qView(), in.kView(), {0.5}, LowRankObject::Softmax);
  const std::vector<double> exact = singularValues(wholeMatrix(rows));
  const RankErrors errors = rankErrors(exact);
  RandomizedOptions options;
  options.rank = 12;
  options.oversampling = 6;
  const RandomizedSpectrum sketch = randomizedSpectrum(rows, options);
  REQUIRE(sketch.values.size() == 18);
  CHECK(sketch.frobenius == Approx(errors.frobenius[0]));
  CHECK(sketch.residual < sketch.frobenius);
  CHECK(sketch.residual >= errors.frobenius[18] - 1e-12);
  for (Index m = 0; m <= 12; ++m) {
    const auto at = static_cast<std::size_t>(m);
    CHECK(sketch.values[at] <= exact[at] * (1 + 1e-12));
    CHECK(sketch.values[at] == Approx(exact[at]).epsilon(0.02));
    CHECK(sketch.least(m) <= errors.frobenius[at] * (1 + 1e-12));
    CHECK(sketch.most(m) >= errors.frobenius[at] * (1 - 1e-12));
  }
}

TEST_CASE("the randomised spectrum of a matrix of low rank is exact") {
  const Matrix<double> a =
      product(randomMatrix<double>(130, 5, 1, 0), randomMatrix<double>(5, 80, 1, 1));
  RandomizedOptions options;
  options.rank = 7;
  const auto rows = rowsOfMatrix(a);
  const RandomizedSpectrum sketch = randomizedSpectrum(rows, options);
  CHECK(sketch.residual < 1e-12 * sketch.frobenius);
  const std::vector<double> exact = singularValues(a);
  for (std::size_t m = 0; m < 5; ++m)
    CHECK(sketch.values[m] == Approx(exact[m]).epsilon(1e-12));
  // A sketch as large as the matrix is the whole of it.
  options.rank = 1000;
  CHECK(randomizedSpectrum(rows, options).values.size() == 80);
}

TEST_CASE("the randomised spectrum is the same bits at any number of threads", "[threads]") {
  const RandomQkv<double> in(300, 300, 4, 2, 3);
  const auto rows = attentionRows(in.qView(), in.kView(), {0.5}, LowRankObject::Softmax);
  RandomizedOptions options;
  options.rank = 8;
  options.threads = 1;
  const RandomizedSpectrum one = randomizedSpectrum(rows, options);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const RandomizedSpectrum more = randomizedSpectrum(rows, options);
    CHECK(one.values == more.values);
    CHECK(one.residual == more.residual);
  }
  std::stop_source source;
  source.request_stop();
  Run run;
  run.stop = source.get_token();
  CHECK_THROWS_AS(randomizedSpectrum(rows, options, run), Stopped);
}

TEST_CASE("low rank refuses by name what is not defined") {
  const RandomQkv<double> in(3, 3, 2, 2, 3, 100);
  const auto big = attentionRows(in.qView(), in.kView(), {1}, LowRankObject::Exponentials);
  CHECK(codeAndSubject([&] { wholeMatrix(big); }) == "E_NONFINITE A");
  CHECK(codeAndSubject([&] { lowRankObjectNamed("probabilities"); }) == "E_RANGE matrix");
  CHECK(lowRankObjectNamed("exp") == LowRankObject::Exponentials);
  CHECK(codeAndSubject([&] { singularValues(Matrix<double>()); }) == "E_SHAPE A");
  const Matrix<double> broken(1, 1, {std::numeric_limits<double>::quiet_NaN()});
  CHECK(codeAndSubject([&] { svd(broken); }) == "E_NONFINITE A");
  const auto rows = attentionRows(in.qView(), in.kView(), {1}, LowRankObject::Softmax);
  CHECK(codeAndSubject([&] { randomizedSpectrum(rows, {0, 1, 1, 0, 1}); }) == "E_RANGE rank");
  CHECK(codeAndSubject([&] {
          randomizedSpectrum(rows, {1, -1, 1, 0, 1});
        }) == "E_RANGE oversampling");
  CHECK(codeAndSubject([&] { randomizedSpectrum(rows, {1, 1, -1, 0, 1}); }) == "E_RANGE powers");
}
