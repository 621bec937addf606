// The implied matrix of patterns whose parts are separate softmaxes (S5.3, S6): times V it equals
// what attend gives.
#include "core/attention/implied_matrix.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"

using namespace attention;

namespace {

void checkImplied(const Pattern& pattern, const RandomQkv<double>& in) {
  const Index n = in.q.rows();
  const auto prepared =
      prepare(pattern, squareLengths(n), patternData<double>(in.qView(), in.kView()));
  const auto expected = attend(*prepared, in.qView(), in.kView(), in.vView());
  const Matrix<double> a = impliedByPattern<double>(*prepared, in.qView(), in.kView()).rowsAt(0, n);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < in.v.cols(); ++c) {
      double sum = 0;
      for (Index j = 0; j < n; ++j)
        sum += a(i, j) * in.v(j, c);
      CHECK(sum == Approx(expected.out(i, c)).margin(1e-12));
    }
}

} // namespace

TEST_CASE("the implied matrix of hashing times V is its attention however rounds combine") {
  const RandomQkv<double> in(32, 32, 4, 3, 5);
  Lsh lsh;
  lsh.buckets = IndexList{4};
  lsh.rounds = 3;
  lsh.combine = GENERATE(Combine::Union, Combine::Lse, Combine::Mean);
  lsh.self = GENERATE(Lsh::Self::Fallback, Lsh::Self::Allow, Lsh::Self::Exclude);
  checkImplied(lsh, in);
}

TEST_CASE("the implied matrix of routing times V is the mean over its centroids") {
  const RandomQkv<double> in(30, 30, 4, 3, 6);
  Routing routing;
  routing.k = 4;
  routing.combine = Combine::Mean;
  checkImplied(routing, in);
}
