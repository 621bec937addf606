// Attention that adds several softmaxes with gates (S22).
#include "core/attention/branches.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/weights.h"
#include "core/pattern/mechanism/nsa.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <cmath>
#include <numeric>

using namespace attention;

namespace {

using Double = RandomQkv<double>;

std::shared_ptr<const Prepared> nsaOf(const Nsa& nsa, const Double& in,
                                      std::map<std::string, MatrixSource> arrays = {}) {
  PatternData data = patternData<double>(in.qView(), in.kView());
  data.valueColumns = in.v.cols();
  data.arrays = std::move(arrays);
  return prepare(nsa, squareLengths(in.q.rows()), data);
}

void checkClose(const Matrix<double>& a, const Matrix<double>& b) {
  REQUIRE(a.values().size() == b.values().size());
  for (std::size_t t = 0; t < a.values().size(); ++t)
    REQUIRE(a.values()[t] == Approx(b.values()[t]).margin(1e-12));
}

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j)
      for (Index t = 0; t < b.cols(); ++t)
        c(i, t) += a(i, j) * b(j, t);
  return c;
}

// All weights, as pictures and files ask for them.
template <class T>
Matrix<T> weightsOver(const Prepared& p, const RandomQkv<T>& in, const AttendOptions& how = {}) {
  const std::vector<T> lse = logSumExp<T>(p, in.qView(), in.kView(), how);
  const WeightSource<T> source{p, in.qView(), in.kView(), lse,
                               scoringOf(how, in.q.cols(), p.lengths())};
  return weightsOf(source, p.bounds());
}

// Softmax of some scores beside a sink, if there is one.
std::vector<double> softmaxOf(std::vector<double> scores, const std::optional<double>& sink) {
  double sum = sink ? std::exp(*sink) : 0;
  for (double& s : scores)
    sum += s = std::exp(s);
  for (double& s : scores)
    s /= sum;
  return scores;
}

// E of S22 by its formula: a mean gives each of its l keys 1/l of its weight. Which blocks are
// selected is the pattern's to say.
Matrix<double> effectiveTwin(const Nsa& nsa, const Prepared& p, const Double& in,
                             const Matrix<double>& gates, const AttendOptions& how) {
  const Index n = in.q.rows();
  const Index l = nsa.compressBlock;
  const double scale = how.scale.value_or(1 / std::sqrt(static_cast<double>(in.q.cols())));
  const auto score = [&](Index i, Index begin, Index end) {
    double dot = 0;
    for (Index j = begin; j < end; ++j)
      for (Index c = 0; c < in.q.cols(); ++c)
        dot += in.q(i, c) * in.k(j, c) / static_cast<double>(end - begin);
    return scale * dot / how.temperature;
  };
  Matrix<double> effective(n, n);
  for (Index i = 0; i < n; ++i) {
    std::vector<double> means;
    for (Index c = 0; c * nsa.compressStride + l - 1 <= i; ++c)
      means.push_back(score(i, c * nsa.compressStride, c * nsa.compressStride + l));
    means = softmaxOf(means, how.sink);
    for (std::size_t c = 0; c < means.size(); ++c)
      for (Index u = 0; u < l; ++u)
        effective(i, static_cast<Index>(c) * nsa.compressStride + u) +=
            gates(i, 0) * means[c] / static_cast<double>(l);
    const auto addKeys = [&](double gate, auto sees) {
      std::vector<Index> keys;
      std::vector<double> weights;
      for (Index j = 0; j <= i; ++j)
        if (sees(j)) {
          keys.push_back(j);
          weights.push_back(score(i, j, j + 1));
        }
      weights = softmaxOf(weights, how.sink);
      for (std::size_t t = 0; t < keys.size(); ++t)
        effective(i, keys[t]) += gate * weights[t];
    };
    addKeys(gates(i, 1), [&](Index j) { return contains(p.parts()[1].cells, i, j); });
    addKeys(gates(i, 2), [&](Index j) { return i - j < nsa.window; });
  }
  return effective;
}

} // namespace

TEST_CASE("weights of NSA are by the formula and give its output", "[branches]") {
  Dice dice(31);
  for (int round = 0; round < 60; ++round) {
    const Index n = dice.within(1, 48);
    const Double in(n, n, 4, 3, static_cast<std::uint64_t>(100 + round));
    Nsa nsa;
    nsa.compressStride = dice.within(1, 4);
    nsa.compressBlock = nsa.compressStride * dice.within(1, 3);
    nsa.selectBlock = nsa.compressStride * dice.within(1, 3);
    nsa.initBlocks = dice.within(0, 2);
    nsa.localBlocks = dice.within(1, 2);
    nsa.selectCount = nsa.initBlocks + nsa.localBlocks + dice.within(0, 2);
    nsa.window = dice.within(0, 9);
    AttendOptions how;
    if (dice.chance(2))
      how.sink = 0.5;
    if (dice.chance(2))
      how.temperature = 1.5;
    Matrix<double> gates = randomMatrix<double>(n, 3, static_cast<std::uint64_t>(round), 9);
    const bool ofFile = dice.chance(2); // else one third each
    if (!ofFile)
      std::fill_n(gates.data(), gates.values().size(), 1.0 / 3);
    std::map<std::string, MatrixSource> arrays;
    if (ofFile)
      arrays.emplace("gates", MatrixSource{"", {n, 3}, gates.values()});
    INFO("round " << round << ", n " << n);
    const auto p = nsaOf(nsa, in, std::move(arrays));
    const Matrix<double> weights = weightsOver(*p, in, how);
    checkClose(weights, effectiveTwin(nsa, *p, in, gates, how));
    checkClose(product(weights, in.v), attend(*p, in.qView(), in.kView(), in.vView(), how).out);
    checkClose(impliedByPattern<double>(*p, in.qView(), in.kView(), how).rowsAt(0, n), weights);
  }
}

TEST_CASE("weights of NSA are the same in floats, cell by cell and in pixels", "[branches]") {
  const Index n = 45;
  const RandomQkv<float> in(n, n, 6, 3, 17);
  RandomQkv<double> wide(n, n, 6, 3, 17);
  wide.q = widened(in.q);
  wide.k = widened(in.k);
  const Nsa nsa{6, 3, 3, 4, 1, 1, 5, RealList{0.5, 0.25, 0.75}};
  const auto p = nsaOf(nsa, wide);
  const Matrix<double> expected = weightsOver(*p, wide);
  const Matrix<float> weights = weightsOver(*p, in);
  const std::vector<float> lse = logSumExp<float>(*p, in.qView(), in.kView());
  const WeightSource<float> source{*p, in.qView(), in.kView(), lse, scoringOf({}, 6, p->lengths())};
  bool onlyWithinMeans = false;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      CHECK(weights(i, j) == Approx(expected(i, j)).margin(1e-6));
      CHECK(weightAt(source, i, j) == weights(i, j));
      onlyWithinMeans = onlyWithinMeans || (weights(i, j) > 0 && !p->contains(i, j));
    }
  CHECK(onlyWithinMeans);
  const std::vector<Index> edges{0, 20, n};
  const Matrix<float> sums = weightsPicture(source, std::span<const Index>(edges),
                                            std::span<const Index>(edges), Reduction::Sum);
  for (Index a = 0; a < 2; ++a) {
    double sum = 0;
    for (Index i = edges[static_cast<std::size_t>(a)]; i < edges[static_cast<std::size_t>(a) + 1];
         ++i)
      for (Index j = 0; j < 20; ++j)
        sum += static_cast<double>(weights(i, j));
    CHECK(sums(a, 0) == Approx(sum).epsilon(1e-5));
  }
}

TEST_CASE("branches are added with their gates", "[branches]") {
  const Index n = 20;
  const Double in(n, n, 4, 3, 37);
  const Nsa nsa{4, 2, 4, 3, 1, 1, 4};
  Matrix<double> gates(n, 3);
  for (Index i = 0; i < n; ++i)
    for (Index b = 0; b < 3; ++b)
      gates(i, b) = static_cast<double>((i + b) % 3);
  const auto p = nsaOf(nsa, in, {{"gates", {"", {n, 3}, gates.values()}}});
  const auto branches = attendBranches<double>(*p, in.qView(), in.kView(), in.vView());
  REQUIRE(branches.of.size() == 3);
  for (Index i = 0; i < n; ++i)
    for (Index t = 0; t < 3; ++t) {
      double sum = 0;
      for (Index b = 0; b < 3; ++b)
        sum += gates(i, b) * branches.of[static_cast<std::size_t>(b)](i, t);
      CHECK(branches.out(i, t) == Approx(sum).margin(1e-12));
    }
}

TEST_CASE("a query that sees no compressed key has nothing of it", "[branches]") {
  const Double in(5, 5, 4, 3, 41);
  const auto p = nsaOf(Nsa{8, 4, 8, 3, 1, 2, 3}, in);
  const auto branches = attendBranches<double>(*p, in.qView(), in.kView(), in.vView());
  for (const double x : branches.of.front().values())
    CHECK(x == 0);
  CHECK(p->pairs() == 15);
}

TEST_CASE("given compressed keys and values are read in place of means", "[branches]") {
  const Index n = 12;
  const Double in(n, n, 2, 2, 43);
  const Nsa nsa{4, 4, 4, 2, 1, 1, 2, RealList{1.0, 0.0, 0.0}};
  const MatrixSource values{"", {3, 2}, RealList{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}};
  const auto p = nsaOf(nsa, in, {{"compressed_v", values}});
  const auto result = attend(*p, in.qView(), in.kView(), in.vView());
  for (Index i = 3; i < 7; ++i) { // these see the first one only
    CHECK(result.out(i, 0) == Approx(1));
    CHECK(result.out(i, 1) == Approx(2));
  }
  // Given ones stand for no keys: what is left are the other branches, with gates of 0.
  CHECK(weightsOver(*p, in) == Matrix<double>(n, n));
  const MatrixSource few{"", {2, 2}, RealList{1.0, 2.0, 3.0, 4.0}};
  CHECK(codeOf([&] { nsaOf(nsa, in, {{"compressed_k", few}}); }) == "E_SHAPE");
  CHECK(codeOf([&] {
          nsaOf(nsa, in, {{"gates", {"", {n, 3}, Matrix<double>(n, 3).values()}}});
        }) == "E_RANGE");
}
