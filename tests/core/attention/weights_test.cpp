// Weights on demand against the definition: single cells, rectangles, pictures.
#include "core/attention/weights.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>

using namespace attention;

namespace {

// A pattern with input, its lse and the weights by definition.
struct Weighed {
  std::shared_ptr<const Prepared> pattern;
  RandomQkv<double> in;
  std::vector<double> lse;
  Matrix<double> p;

  explicit Weighed(const Pattern& of, Index n)
      : pattern(prepare(of, squareLengths(n))), in(n, n, 5, 2, 3),
        lse(logSumExp(*pattern, in.qView(), in.kView())), p(n, n) {
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        double s = 0;
        for (Index c = 0; c < 5; ++c)
          s += in.q(i, c) * in.k(j, c);
        if (pattern->contains(i, j))
          p(i, j) = std::exp(s / std::sqrt(5.0) - lse[static_cast<std::size_t>(i)]);
      }
  }
  WeightSource<double> source() const {
    return {*pattern, in.qView(), in.kView(), lse, {1 / std::sqrt(5.0)}};
  }
};

Strided strided() {
  Strided pattern;
  pattern.stride = 6;
  return pattern;
}

} // namespace

TEST_CASE("weights of rows with keys add up to one and hidden cells are exactly zero") {
  const Index n = GENERATE(1, 2, 7, 40);
  const Weighed w(strided(), n);
  const Matrix<double> all = weightsOf(w.source(), w.pattern->bounds(), 2);
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      sum += all(i, j);
      CHECK(all(i, j) == Approx(w.p(i, j)).margin(1e-14));
      CHECK((all(i, j) != 0) == w.pattern->contains(i, j));
      CHECK(weightAt(w.source(), i, j) == Approx(w.p(i, j)).margin(1e-14));
    }
    CHECK(sum == Approx(1));
  }
}

TEST_CASE("weights of a rectangle are those of its cells") {
  const Weighed w(strided(), 30);
  const Matrix<double> part = weightsOf(w.source(), {7, 19, 3, 22});
  REQUIRE(part.rows() == 12);
  REQUIRE(part.cols() == 19);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 19; ++j)
      CHECK(part(i, j) == Approx(w.p(7 + i, 3 + j)).margin(1e-14));
}

TEST_CASE("a pixel has the maximum or the sum of the weights of its cells") {
  const Weighed w(strided(), 30);
  const std::vector<Index> rows{2, 3, 9, 9, 30};
  const std::vector<Index> keys{0, 5, 5, 6, 29};
  const auto most = weightsPicture(w.source(), rows, keys, Reduction::Maximum, 2);
  const auto sums = weightsPicture(w.source(), rows, keys, Reduction::Sum, 3);
  REQUIRE(most.rows() == 4);
  REQUIRE(most.cols() == 4);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) {
      double largest = 0;
      double sum = 0;
      for (Index i = rows[a]; i < rows[a + 1]; ++i)
        for (Index j = keys[b]; j < keys[b + 1]; ++j) {
          largest = std::max(largest, w.p(i, j));
          sum += w.p(i, j);
        }
      const auto row = static_cast<Index>(a);
      const auto col = static_cast<Index>(b);
      CHECK(most(row, col) == Approx(largest).margin(1e-14));
      CHECK(sums(row, col) == Approx(sum).margin(1e-13));
    }
}

TEST_CASE("rows without keys have no weights") {
  Local nothing;
  nothing.window = 0;
  const Weighed w(nothing, 9);
  CHECK(weightsOf(w.source(), w.pattern->bounds()) == Matrix<double>(9, 9));
}

TEST_CASE("float weights agree with double ones and pictures stop when asked", "[threads]") {
  const auto pattern = prepare(strided(), squareLengths(50));
  const RandomQkv<float> in(50, 50, 8, 2, 4);
  const auto lse = logSumExp(*pattern, in.qView(), in.kView());
  const WeightSource<float> source{*pattern, in.qView(), in.kView(), lse, {1 / std::sqrt(8.0)}};
  const Matrix<float> all = weightsOf(source, pattern->bounds(), 2);
  for (Index i = 0; i < 50; ++i) {
    double sum = 0;
    for (Index j = 0; j < 50; ++j)
      sum += static_cast<double>(all(i, j));
    CHECK(sum == Approx(1).epsilon(1e-5));
  }
  std::stop_source stop;
  stop.request_stop();
  Run run;
  run.stop = stop.get_token();
  const std::vector<Index> edges{0, 25, 50};
  CHECK_THROWS_AS(weightsPicture(source, edges, edges, Reduction::Sum, 2, run), Stopped);
}
