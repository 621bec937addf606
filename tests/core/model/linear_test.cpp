// Linear maps against a plain twin in double, and their laws.
#include "core/model/linear.h"
#include "tests/catch.h"
#include "tests/core/model/small_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace attention;
using namespace attention::test;

namespace {

Matrix<float> applied(const Linear& map, const Matrix<float>& x, int threads = 0) {
  Matrix<float> y(x.rows(), map.weight.rows);
  LinearRoom room;
  const std::array tasks{LinearTask{map, y.view()}};
  Run run;
  run.threads = threads;
  applyLinear(x.view(), tasks, room, run);
  return y;
}

// Whether y is W x + b within what rounding may do: inputs · ε · Σ |w x|.
void checkTwin(const Linear& map, const Matrix<float>& x, const Matrix<float>& y) {
  std::vector<float> row(static_cast<std::size_t>(x.cols()));
  for (Index o = 0; o < map.weight.rows; ++o) {
    readRow(map.weight, o, row);
    for (Index i = 0; i < x.rows(); ++i) {
      double sum =
          map.bias.empty() ? 0 : static_cast<double>(map.bias[static_cast<std::size_t>(o)]);
      double size = std::abs(sum);
      for (Index c = 0; c < x.cols(); ++c) {
        const double term =
            static_cast<double>(row[static_cast<std::size_t>(c)]) * static_cast<double>(x(i, c));
        sum += term;
        size += std::abs(term);
      }
      REQUIRE(std::abs(static_cast<double>(y(i, o)) - sum) <=
              (static_cast<double>(x.cols()) + 2) * 6e-8 * size + 1e-30);
    }
  }
}

} // namespace

TEST_CASE("a linear map is W x + b, whatever the sizes", "[model]") {
  const Index outputs = GENERATE(1, 7, 64, 129);
  const Index inputs = GENERATE(1, 33, 300);
  const Index rows = GENERATE(1, 6, 259);
  Linear map = someLinear(outputs, inputs, 5);
  const Matrix<float> x = someMatrix(rows, inputs, 6);
  checkTwin(map, x, applied(map, x));
  map.bias = someNumbers(outputs, 7);
  checkTwin(map, x, applied(map, x));
}

TEST_CASE("a linear map has the same bits at any number of threads and of rows",
          "[model][threads]") {
  const Linear map = someLinear(150, 200, 1);
  const Matrix<float> x = someMatrix(530, 200, 2);
  const Matrix<float> y = applied(map, x, 1);
  for (const int threads : {2, 3, 7})
    CHECK(applied(map, x, threads) == y);
  const Matrix<float> few(5, 200, {x.values().begin(), x.values().begin() + 5 * 200});
  const Matrix<float> alone = applied(map, few);
  CHECK(std::equal(alone.values().begin(), alone.values().end(), y.values().begin()));
}

TEST_CASE("several maps of one input share a call, and may add to what is there", "[model]") {
  const Linear one = someLinear(70, 40, 1);
  const Linear other = someLinear(30, 40, 2);
  const Matrix<float> x = someMatrix(10, 40, 3);
  Matrix<float> y(10, 70);
  Matrix<float> z = someMatrix(10, 30, 4);
  const Matrix<float> before = z;
  LinearRoom room;
  const std::array tasks{LinearTask{one, y.view()}, LinearTask{other, z.view(), true}};
  applyLinear(x.view(), tasks, room, {});
  CHECK(y == applied(one, x));
  const Matrix<float> sum = applied(other, x);
  for (std::size_t i = 0; i < z.values().size(); ++i)
    CHECK(z.values()[i] == Approx(before.values()[i] + sum.values()[i]).margin(1e-5));
}

TEST_CASE("weights wider than the room for panels are multiplied a few panels at a time",
          "[model]") {
  const Linear map = someLinear(200, 20000, 1, 0.01F);
  const Matrix<float> x = someMatrix(2, 20000, 2);
  checkTwin(map, x, applied(map, x));
}

TEST_CASE("rows of heads that are stored in pairs come out in halves", "[model]") {
  constexpr Index d = 6;
  Linear paired = someLinear(2 * d, 5, 1);
  paired.bias = someNumbers(2 * d, 3);
  const Matrix<float> x = someMatrix(3, 5, 2);
  const Matrix<float> stored = applied(paired, x);
  Matrix<float> y(3, 2 * d);
  LinearRoom room;
  const std::array tasks{LinearTask{paired, y.view(), false, d}};
  applyLinear(x.view(), tasks, room, {});
  // Rows 0, d/2, 1, d/2 + 1, … are stored.
  const std::array<Index, d> order{0, 3, 1, 4, 2, 5};
  for (Index i = 0; i < 3; ++i)
    for (Index head = 0; head < 2; ++head)
      for (Index r = 0; r < d; ++r)
        CHECK(y(i, head * d + order[static_cast<std::size_t>(r)]) == stored(i, head * d + r));
}

TEST_CASE("a map whose weights are stored by inputs gives the same bits", "[model]") {
  const Index outputs = GENERATE(1, 7, 64, 129);
  const Matrix<float> x = someMatrix(5, 33, 6);
  // Outputs 3, 4, … of the stored matrix, as of a fused one.
  const Matrix<float> stored = someMatrix(33, outputs + 5, 5);
  Matrix<float> turned(outputs, 33);
  for (Index o = 0; o < outputs; ++o)
    for (Index i = 0; i < 33; ++i)
      turned(o, i) = stored(i, o + 3);
  WeightMatrix weight = weightsOf(stored);
  std::swap(weight.rows, weight.cols);
  weight.transposed = true;
  const Linear transposed{rowsOf(weight, 3, 3 + outputs), {}};
  CHECK(applied(transposed, x) == applied({weightsOf(turned), {}}, x));
}

TEST_CASE("a linear map stops where that is asked for", "[model]") {
  std::stop_source stop;
  stop.request_stop();
  const Linear map = someLinear(10, 10, 1);
  const Matrix<float> x = someMatrix(10, 10, 2);
  Matrix<float> y(10, 10);
  LinearRoom room;
  const std::array tasks{LinearTask{map, y.view()}};
  CHECK_THROWS_AS(applyLinear(x.view(), tasks, room, {stop.get_token(), {}}), Stopped);
}
