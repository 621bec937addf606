// Attention that adds several softmaxes with gates (S22).
#include "core/attention/branches.h"
#include "core/pattern/mechanism/nsa.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

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

} // namespace

TEST_CASE("the weights of single keys give the output of all branches", "[branches]") {
  const Index n = GENERATE(1, 5, 40);
  const Double in(n, n, 4, 3, 31);
  const Nsa nsa{6, 3, 3, 4, 1, 2, 5, RealList{0.5, 0.25, 0.75}};
  const auto p = nsaOf(nsa, in);
  const auto result = attend(*p, in.qView(), in.kView(), in.vView());
  const Matrix<double> effective = effectiveWeights<double>(*p, in.qView(), in.kView());
  checkClose(product(effective, in.v), result.out);
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
  CHECK(codeOf([&] { effectiveWeights<double>(*p, in.qView(), in.kView()); }) == "E_UNSUPPORTED");
  const MatrixSource few{"", {2, 2}, RealList{1.0, 2.0, 3.0, 4.0}};
  CHECK(codeOf([&] { nsaOf(nsa, in, {{"compressed_k", few}}); }) == "E_SHAPE");
  CHECK(codeOf([&] {
          nsaOf(nsa, in, {{"gates", {"", {n, 3}, Matrix<double>(n, 3).values()}}});
        }) == "E_RANGE");
}
