// Heads, grouped key/value heads, and the projections around them (S3.5).
#include "core/attention/multihead.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"

using namespace attention;

namespace {

constexpr Index kTokens = 12;

Matrix<double> identity(Index n) {
  Matrix<double> m(n, n);
  for (Index i = 0; i < n; ++i)
    m(i, i) = 1;
  return m;
}

PreparedHeads causal() {
  return {prepare(Causal{}, squareLengths(kTokens))};
}

// Columns [first, first + count) of m.
Matrix<double> columns(const Matrix<double>& m, Index first, Index count) {
  Matrix<double> part(m.rows(), count);
  for (Index i = 0; i < m.rows(); ++i)
    for (Index c = 0; c < count; ++c)
      part(i, c) = m(i, first + c);
  return part;
}

MatrixView<const double> view(const Matrix<double>& m) {
  return m.view();
}

ErrorCode codeOf(const PreparedHeads& patterns, const MultiheadWeights<double>& weights,
                 Index heads, Index kvHeads) {
  const auto x = randomMatrix<double>(kTokens, 6, 1, 0);
  try {
    multihead<double>(patterns, x.view(), weights, heads, kvHeads);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::Io; // stands for none
}

} // namespace

TEST_CASE("with identity projections every head is attention over its columns") {
  const auto x = randomMatrix<double>(kTokens, 6, 3, 0);
  const MultiheadWeights<double> weights{identity(6), identity(6), identity(6), {}};
  const PreparedHeads patterns{prepare(Causal{}, squareLengths(kTokens)),
                               prepare(Full{}, squareLengths(kTokens))};
  const Matrix<double> all = multihead<double>(patterns, x.view(), weights, 2, 2);
  for (Index h = 0; h < 2; ++h) {
    const Matrix<double> part = columns(x, 3 * h, 3);
    const auto alone =
        attend(*patterns[static_cast<std::size_t>(h)], view(part), view(part), view(part));
    CHECK(columns(all, 3 * h, 3) == alone.out);
  }
  MultiheadWeights<double> doubled = weights;
  doubled.output = identity(6);
  for (Index c = 0; c < 6; ++c)
    doubled.output(c, c) = 2;
  const Matrix<double> twice = multihead<double>(patterns, x.view(), doubled, 2, 2);
  for (std::size_t k = 0; k < all.values().size(); ++k)
    CHECK(twice.values()[k] == Approx(2 * all.values()[k]));
}

TEST_CASE("grouped key and value heads equal heads whose keys and values are repeated") {
  const Index heads = 4;
  const Index groups = GENERATE(1, 2, 4);
  std::vector<Matrix<double>> q;
  std::vector<Matrix<double>> k;
  std::vector<Matrix<double>> v;
  for (std::uint32_t h = 0; h < 4; ++h)
    q.push_back(randomMatrix<double>(kTokens, 3, 5, h));
  for (std::uint32_t g = 0; g < static_cast<std::uint32_t>(groups); ++g) {
    k.push_back(randomMatrix<double>(kTokens, 3, 5, 10 + g));
    v.push_back(randomMatrix<double>(kTokens, 2, 5, 20 + g));
  }
  std::vector<MatrixView<const double>> qs;
  std::vector<MatrixView<const double>> grouped;
  std::vector<MatrixView<const double>> groupedValues;
  for (const auto& m : q)
    qs.push_back(m.view());
  for (const auto& m : k)
    grouped.push_back(m.view());
  for (const auto& m : v)
    groupedValues.push_back(m.view());
  const auto results = attendHeads<double>(causal(), qs, grouped, groupedValues);
  REQUIRE(results.size() == 4);
  for (std::size_t h = 0; h < 4; ++h) {
    const std::size_t g = h / static_cast<std::size_t>(heads / groups);
    CHECK(results[h].out == attend(*causal()[0], qs[h], view(k[g]), view(v[g])).out);
  }
}

TEST_CASE("the float and the double heads agree") {
  const auto x = randomMatrix<float>(kTokens, 8, 7, 0);
  const MultiheadWeights<float> weights{
      randomMatrix<float>(8, 8, 7, 1, 0.3), randomMatrix<float>(8, 4, 7, 2, 0.3),
      randomMatrix<float>(8, 4, 7, 3, 0.3), randomMatrix<float>(8, 8, 7, 4, 0.3)};
  const MultiheadWeights<double> wide{widened(weights.query), widened(weights.key),
                                      widened(weights.value), widened(weights.output)};
  const Matrix<float> fast = multihead<float>(causal(), x.view(), weights, 4, 2);
  const Matrix<double> xWide = widened(x);
  const Matrix<double> plain = multihead<double>(causal(), xWide.view(), wide, 4, 2);
  for (std::size_t k = 0; k < plain.values().size(); ++k)
    CHECK(static_cast<double>(fast.values()[k]) == Approx(plain.values()[k]).margin(1e-5));
}

TEST_CASE("heads that do not divide the model dimension or each other are refused") {
  const MultiheadWeights<double> weights{identity(6), identity(6), identity(6), {}};
  CHECK(codeOf(causal(), weights, 3, 3) == ErrorCode::Io);
  CHECK(codeOf(causal(), weights, 4, 4) == ErrorCode::Range);
  CHECK(codeOf(causal(), weights, 3, 2) == ErrorCode::Range);
  CHECK(codeOf(causal(), weights, 0, 1) == ErrorCode::Range);
  CHECK(codeOf({causal()[0], causal()[0]}, weights, 3, 3) == ErrorCode::Shape);
  const MultiheadWeights<double> five{identity(5), identity(6), identity(6), {}};
  CHECK(codeOf(causal(), five, 1, 1) == ErrorCode::Shape);
}
