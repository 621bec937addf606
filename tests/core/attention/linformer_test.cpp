// Linformer and the dense softmax that it ends with.
#include "core/attention/dense_softmax.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/linformer.h"
#include "core/attention/reference.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>
#include <limits>
#include <utility>

using namespace attention;

namespace {

Matrix<double> identity(Index n) {
  Matrix<double> m(n, n);
  for (Index i = 0; i < n; ++i)
    m(i, i) = 1;
  return m;
}

} // namespace

TEST_CASE("dense softmax attention is attention over all keys in both precisions") {
  const Index n = GENERATE(1, 2, 64, 131);
  const RandomQkv<double> in(n, n, 5, 3, 4, 3);
  const RandomQkv<float> single(n, n, 5, 3, 4, 3);
  const double scale = 1 / std::sqrt(5.0);
  const auto exact =
      attendReference(*prepare(Full{}, squareLengths(n)), in.qView(), in.kView(), in.vView());
  const auto dense = denseSoftmaxAttention(in.qView(), in.kView(), in.vView(), {scale}, 2);
  const auto floats =
      denseSoftmaxAttention(single.qView(), single.kView(), single.vView(), {scale}, 1);
  for (std::size_t x = 0; x < dense.values().size(); ++x) {
    CHECK(dense.values()[x] == Approx(exact.out.values()[x]).margin(1e-12));
    CHECK(static_cast<double>(floats.values()[x]) == Approx(exact.out.values()[x]).margin(2e-5));
  }
}

TEST_CASE("Linformer with identity projections is exact") {
  const Index n = 20;
  const RandomQkv<double> in(n, n, 4, 3, 2);
  const Matrix<double> one = identity(n);
  const auto approximated = linformer(in.qView(), in.kView(), in.vView(), one.view(), one.view());
  const auto exact =
      attendReference(*prepare(Full{}, squareLengths(n)), in.qView(), in.kView(), in.vView());
  for (std::size_t x = 0; x < exact.out.values().size(); ++x)
    CHECK(approximated.out.values()[x] == Approx(exact.out.values()[x]).margin(1e-13));
}

TEST_CASE("the matrix of Linformer times the values is its output") {
  const Index n = 20;
  const RandomQkv<double> in(n, n, 4, 3, 2);
  const Matrix<double> e = drawLinformer(6, n, 3, LinformerSide::Keys);
  const Matrix<double> f = drawLinformer(6, n, 3, LinformerSide::Values);
  CHECK_FALSE(e == f);
  const auto result = linformer(in.qView(), in.kView(), in.vView(), e.view(), f.view());
  const auto implied = impliedByLinformer(
      in.qView(), MatrixView<const double>(std::as_const(result.projectedKeys).view()), f.view(),
      {0.5});
  const Matrix<double> a = implied.rowsAt(0, n);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < 3; ++c) {
      double sum = 0;
      for (Index j = 0; j < n; ++j)
        sum += a(i, j) * in.v(j, c);
      CHECK(sum == Approx(result.out(i, c)).margin(1e-12));
    }
}

TEST_CASE("drawn entries of Linformer have variance one over k") {
  const Matrix<double> e = drawLinformer(4, 5000, 1, LinformerSide::Keys);
  double sum = 0;
  double squares = 0;
  for (const double x : e.values()) {
    sum += x;
    squares += x * x;
  }
  const double count = 20000;
  CHECK(std::abs(sum / count) < 5 * 0.5 / std::sqrt(count));
  CHECK(std::abs(squares / count - 0.25) < 5 * 0.25 * std::sqrt(2 / count));
}

TEST_CASE("Linformer refuses what is not defined by name") {
  const RandomQkv<double> in(5, 5, 4, 2, 1);
  Matrix<double> e = drawLinformer(3, 5, 1, LinformerSide::Keys);
  const auto run = [&](const Matrix<double>& a, const Matrix<double>& b, bool causal) {
    LinformerOptions options;
    options.causal = causal;
    return codeAndSubject(
        [&] { linformer(in.qView(), in.kView(), in.vView(), a.view(), b.view(), options); });
  };
  CHECK(run(e, e, false).empty());
  CHECK(run(e, e, true) == "E_UNSUPPORTED causal");
  CHECK(run(e, drawLinformer(4, 5, 1, LinformerSide::Values), false) == "E_SHAPE F");
  CHECK(run(drawLinformer(3, 6, 1, LinformerSide::Keys), e, false) == "E_SHAPE E");
  CHECK(codeAndSubject([] { drawLinformer(0, 5, 1, LinformerSide::Keys); }) == "E_RANGE k");
  const Matrix<double> good = e;
  e(1, 1) = std::numeric_limits<double>::infinity();
  CHECK(run(e, good, false) == "E_NONFINITE E");
}
