// Products and distances by vector code against plain sums in long double.
#include "core/support/philox.h"
#include "core/support/products.h"
#include "core/support/tile_products.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

namespace {

using namespace attention;

template <class T>
Matrix<T> drawn(Index rows, Index cols, std::uint32_t sub) {
  Matrix<T> m(rows, cols);
  for (Index x = 0; x < rows * cols; ++x)
    m.data()[x] = static_cast<T>(
        philox::normal({7, philox::Purpose::Data, sub}, static_cast<std::uint64_t>(x)));
  return m;
}

template <class T>
Matrix<T> transposed(const Matrix<T>& m) {
  Matrix<T> t(m.cols(), m.rows());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      t(j, i) = m(i, j);
  return t;
}

// How far a sum of `inner` rounded steps may be off: two roundings per term, each half a unit in
// the last place of numbers no larger than Σ |term|.
template <class T>
double allowed(Index inner, double magnitude) {
  return static_cast<double>(inner + 2) * magnitude * std::numeric_limits<T>::epsilon();
}

struct Sum {
  double value = 0;
  double magnitude = 0;
};

template <class T, class Term>
Sum plainSum(const Matrix<T>& a, const Matrix<T>& b, Index i, Index j, Term term) {
  long double sum = 0;
  long double magnitude = 0;
  for (Index t = 0; t < a.cols(); ++t) {
    const long double x =
        term(static_cast<long double>(a(i, t)), static_cast<long double>(b(t, j)));
    sum += x;
    magnitude += std::abs(x);
  }
  return {static_cast<double>(sum), static_cast<double>(magnitude)};
}

template <class T>
void compare(const Matrix<T>& out, const Matrix<T>& a, const Matrix<T>& b, double begun) {
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j) {
      const Sum sum = plainSum(a, b, i, j, [](long double x, long double y) { return x * y; });
      INFO("at " << i << " " << j);
      REQUIRE(std::abs(static_cast<double>(out(i, j)) - (begun + sum.value)) <=
              allowed<T>(a.cols(), sum.magnitude + std::abs(begun)));
    }
}

template <class T>
void checkProducts() {
  const Index rows = GENERATE(1, 5, 6, 64, 67);
  const Index inner = GENERATE(1, 3, 64, 129, 300);
  const Index cols = GENERATE(1, 15, 64, 65, 131);
  const Matrix<T> a = drawn<T>(rows, inner, 0);
  const Matrix<T> b = drawn<T>(inner, cols, 1);
  const Matrix<T> at = transposed(a);
  const Matrix<T> bt = transposed(b);
  Matrix<T> out(rows, cols);
  multiply(a.view(), b.view(), out.view());
  compare(out, a, b, 0);
  Matrix<T> other(rows, cols);
  multiplyTransposed(a.view(), bt.view(), other.view());
  CHECK(other == out);
  transposedMultiply(at.view(), b.view(), other.view());
  CHECK(other == out);
  std::fill(other.data(), other.data() + rows * cols, T{2});
  multiply(a.view(), b.view(), other.view(), true);
  compare(other, a, b, 2);
  std::fill(other.data(), other.data() + rows * cols, T{2});
  transposedMultiply(at.view(), b.view(), other.view(), true);
  compare(other, a, b, 2);
}

TEST_CASE("Products equal plain sums in every shape, whichever side is transposed", "[products]") {
  SECTION("float") {
    checkProducts<float>();
  }
  SECTION("double") {
    checkProducts<double>();
  }
}

TEST_CASE("Rounded products are those of a plain loop to the last bit", "[products]") {
  const Index inner = GENERATE(1, 2, 63, 300);
  const Matrix<double> a = drawn<double>(9, inner, 0);
  const Matrix<double> b = drawn<double>(inner, 70, 1);
  Matrix<double> out(9, 70);
  tileSums<double>(TileSum::RoundedProducts, {a.data(), inner, 1}, {b.data(), 70, 1}, inner,
                   out.view());
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 70; ++j) {
      volatile double sum = 0; // no step is fused
      for (Index t = 0; t < inner; ++t) {
        volatile const double product = a(i, t) * b(t, j);
        sum = sum + product;
      }
      REQUIRE(out(i, j) == sum);
    }
}

TEST_CASE("Products write no value beyond their own columns", "[products]") {
  const Index cols = GENERATE(1, 7, 33);
  const Matrix<float> a = drawn<float>(7, 20, 0);
  const Matrix<float> b = drawn<float>(20, cols, 1);
  Matrix<float> wide(7, cols + 3);
  std::fill(wide.data(), wide.data() + wide.values().size(), -1.0F);
  multiply(a.view(), b.view(), {wide.data(), 7, cols, cols + 3});
  for (Index i = 0; i < 7; ++i)
    for (Index j = cols; j < cols + 3; ++j)
      CHECK(wide(i, j) == -1.0F);
}

TEST_CASE("A product over nothing is zero or adds nothing", "[products]") {
  const Matrix<double> a(3, 0);
  const Matrix<double> b(0, 4);
  Matrix<double> out(3, 4, std::vector<double>(12, 5.0));
  multiply(a.view(), b.view(), out.view(), true);
  CHECK(out(2, 3) == 5.0);
  multiply(a.view(), b.view(), out.view());
  CHECK(out == Matrix<double>(3, 4));
}

TEST_CASE("Distances equal plain sums and are equal bits for equal rows", "[products]") {
  const Index rows = GENERATE(1, 6, 67);
  const Index inner = GENERATE(1, 64, 130);
  const Index cols = GENERATE(2, 40, 131);
  const Matrix<double> a = drawn<double>(rows, inner, 0);
  Matrix<double> b = drawn<double>(inner, cols, 1);
  for (Index t = 0; t < inner; ++t) // the first and the last column are one
    b(t, cols - 1) = b(t, 0);
  Matrix<double> out(rows, cols);
  tileSums<double>(TileSum::MinusDistances, {a.data(), inner, 1}, {b.data(), cols, 1}, inner,
                   out.view());
  for (Index i = 0; i < rows; ++i) {
    CHECK(out(i, 0) == out(i, cols - 1));
    for (Index j = 0; j < cols; ++j) {
      const Sum sum =
          plainSum(a, b, i, j, [](long double x, long double y) { return -(x - y) * (x - y); });
      // A difference is off by half a unit in the last place, its square by twice as much.
      REQUIRE(std::abs(out(i, j) - sum.value) <= allowed<double>(inner + 3, sum.magnitude));
    }
  }
}

} // namespace
