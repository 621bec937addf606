// Rows by vector code against the standard library in double or long double.
#include "core/attention/vector_rows.h"
#include "core/support/philox.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

using namespace attention;

namespace {

// Numbers of both signs, most of them small.
template <class T>
std::vector<T> drawn(Index count, double scale, std::uint32_t sub = 0) {
  std::vector<T> x;
  for (Index c = 0; c < count; ++c)
    x.push_back(static_cast<T>(
        scale * philox::normal({3, philox::Purpose::Data, sub}, static_cast<std::uint64_t>(c))));
  return x;
}

template <class T>
constexpr double kUnit = std::numeric_limits<T>::epsilon();

template <class T>
void checkPowers() {
  const Index count = GENERATE(1, 7, 64, 129);
  const Exponentials<T> by{T(0.5), T(-1.25), T(0.001), T(0.125)};
  const std::vector<T> x = drawn<T>(count, 8);
  std::vector<T> u = x;
  exponentiate<T>(u, {}); // only the power, within its claimed error
  const double claimed = std::is_same_v<T, float> ? 3 * std::ldexp(1.0, -24) : 4 * kUnit<T>;
  for (std::size_t c = 0; c < x.size(); ++c)
    CHECK(std::abs(double(u[c]) / std::exp(double(x[c])) - 1) <= claimed);
  u = x;
  exponentiate<T>(u, by);
  for (std::size_t c = 0; c < x.size(); ++c) {
    const T exponent = x[c] - by.h - by.shift;
    const double exact = double(by.factor) * (std::exp(double(exponent)) + double(by.eps));
    CHECK(std::abs(double(u[c]) - exact) <= 4 * kUnit<T> * exact);
  }
  u = x;
  eluPlusOne<T>(u);
  for (std::size_t c = 0; c < x.size(); ++c) {
    const double exact = x[c] > 0 ? double(x[c]) + 1 : std::exp(double(x[c]));
    CHECK(std::abs(double(u[c]) - exact) <= 3 * kUnit<T> * exact);
  }
}

template <class T>
void checkCircle() {
  const Index count = GENERATE(1, 7, 64, 129);
  const double scale = GENERATE(1.0, 30.0, 1e4, 1e6); // the last beyond what vector code reduces
  const std::vector<T> x = drawn<T>(count, scale);
  std::vector<T> cosines = x;
  std::vector<T> sines(x.size());
  cosinesAndSines<T>(cosines, sines, T(0.25));
  for (std::size_t c = 0; c < x.size(); ++c) {
    CHECK(std::abs(double(cosines[c]) - 0.25 * std::cos(double(x[c]))) <= kUnit<T>);
    CHECK(std::abs(double(sines[c]) - 0.25 * std::sin(double(x[c]))) <= kUnit<T>);
  }
}

template <class T>
void checkSums() {
  const Index count = GENERATE(0, 1, 7, 64, 129, 300);
  const std::vector<T> x = drawn<T>(count, 1);
  const std::vector<T> y = drawn<T>(count, 1, 1);
  long double product = 0;
  long double size = 0;
  long double squares = 0;
  T most = -std::numeric_limits<T>::infinity();
  for (std::size_t c = 0; c < x.size(); ++c) {
    product += static_cast<long double>(x[c]) * y[c];
    size += std::abs(static_cast<long double>(x[c]) * y[c]);
    squares += static_cast<long double>(x[c]) * x[c] / 4;
    most = std::max(most, x[c]);
  }
  const double steps = static_cast<double>(count) + 8;
  CHECK(std::abs(double(innerProduct<T>(x, y) - product)) <= steps * kUnit<T> * double(size));
  CHECK(std::abs(double(squaredLength<T>(x, T(0.5)) - squares)) <=
        steps * kUnit<T> * double(squares));
  CHECK(largestOf<T>(x) == most);
  long double sumOfAll = 0;
  long double sizeOfAll = 0;
  for (const T value : x) {
    sumOfAll += value;
    sizeOfAll += std::abs(static_cast<long double>(value));
  }
  CHECK(std::abs(double(sumOfRow<T>(x) - sumOfAll)) <= steps * kUnit<T> * double(sizeOfAll));
  std::vector<T> sum(x.size());
  weightedSum<T>(x, 1, y, 1, sum);
  std::vector<T> quotient = x;
  divideRow<T>(quotient, T(3));
  for (std::size_t c = 0; c < x.size(); ++c) {
    CHECK(sum[c] == x[c] + y[c]);
    CHECK(quotient[c] == x[c] / T(3));
  }
  weightedSum<T>(x, T(0.7), y, T(-3), sum);
  for (std::size_t c = 0; c < x.size(); ++c) {
    const double terms[] = {double(T(0.7)) * double(x[c]), -3 * double(y[c])};
    CHECK(std::abs(double(sum[c]) - (terms[0] + terms[1])) <=
          3 * kUnit<T> * (std::abs(terms[0]) + std::abs(terms[1])));
  }
}

template <class T>
void checkColumns() {
  const Index cols = GENERATE(1, 7, 64, 129);
  const Index rows = GENERATE(0, 1, 5);
  const std::vector<T> values = drawn<T>(rows * (cols + 3), 1);
  const MatrixView<const T> m{values.data(), rows, cols, cols + 3};
  std::vector<T> sums = drawn<T>(cols, 1, 1);
  std::vector<T> twin = sums;
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < cols; ++c)
      twin[static_cast<std::size_t>(c)] += m(i, c);
  addColumns<T>(m, sums);
  CHECK(sums == twin);
}

template <class T>
void checkFinite() {
  const Index count = GENERATE(1, 7, 64, 129);
  const T broken = GENERATE(std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                            std::numeric_limits<T>::quiet_NaN());
  std::vector<T> x = drawn<T>(count, 1);
  x.front() = std::numeric_limits<T>::max();
  CHECK(allFinite<T>(x));
  for (std::size_t c = 0; c < x.size(); ++c) {
    std::vector<T> y = x;
    y[c] = broken;
    CHECK_FALSE(allFinite<T>(y));
  }
}

} // namespace

TEST_CASE("exponentials of rows are those of single numbers at any length") {
  SECTION("float") {
    checkPowers<float>();
  }
  SECTION("double") {
    checkPowers<double>();
  }
}

TEST_CASE("exponentials of floats are within the claimed error over their whole range") {
  std::vector<float> x;
  for (int step = 0; step <= 100000; ++step)
    x.push_back(-87.0F + 175.0F * static_cast<float>(step) / 100000.0F);
  std::vector<float> u = x;
  exponentiate<float>(u, {});
  double worst = 0;
  for (std::size_t c = 0; c < x.size(); ++c)
    worst = std::max(worst, std::abs(double(u[c]) / std::exp(double(x[c])) - 1));
  CHECK(worst < 3 * std::ldexp(1.0, -24));
}

TEST_CASE("exponentials of rows end in zero and infinity and keep NaN") {
  std::vector<float> u{-1e30F, -88.0F, 89.0F, 1e30F, std::nanf("")};
  exponentiate<float>(u, {});
  CHECK(u[0] == 0.0F);
  CHECK(u[1] == 0.0F);
  CHECK(std::isinf(u[2]));
  CHECK(std::isinf(u[3]));
  CHECK(std::isnan(u[4]));
  std::vector<double> x{-1e300, -760.0, 720.0, 1e300, std::nan(""), 709.5, -700.0};
  exponentiate<double>(x, {});
  CHECK(x[0] == 0.0);
  CHECK(x[1] == 0.0);
  CHECK(std::isinf(x[2]));
  CHECK(std::isinf(x[3]));
  CHECK(std::isnan(x[4]));
  CHECK(std::abs(x[5] / std::exp(709.5) - 1) <= 4 * kUnit<double>);
  CHECK(std::abs(x[6] / std::exp(-700.0) - 1) <= 4 * kUnit<double>);
}

TEST_CASE("cosines and sines of rows are those of single numbers, even for large angles") {
  SECTION("float") {
    checkCircle<float>();
  }
  SECTION("double") {
    checkCircle<double>();
  }
}

TEST_CASE("sums of rows are right to the last digits at any length") {
  SECTION("float") {
    checkSums<float>();
    checkColumns<float>();
  }
  SECTION("double") {
    checkSums<double>();
    checkColumns<double>();
  }
}

TEST_CASE("one number that is not finite is found wherever it stands") {
  SECTION("float") {
    checkFinite<float>();
  }
  SECTION("double") {
    checkFinite<double>();
  }
}
