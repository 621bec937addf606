// Norms, activations and rotations against their formulas in double.
#include "core/model/rotation_table.h"
#include "core/model/rows.h"
#include "tests/catch.h"
#include "tests/core/model/small_weights.h"

#include <cmath>
#include <numbers>

using namespace attention;
using namespace attention::test;

namespace {

double activated(Activation activation, double x) {
  switch (activation) {
  case Activation::Silu:
    return x / (1 + std::exp(-x));
  case Activation::Gelu:
    return x * (1 + std::erf(x / std::numbers::sqrt2)) / 2;
  case Activation::GeluTanh:
    return x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))) / 2;
  case Activation::Relu:
    return std::max(x, 0.0);
  }
  return 0;
}

} // namespace

TEST_CASE("activations are their formulas, near zero and far from it", "[model]") {
  const auto activation =
      GENERATE(Activation::Silu, Activation::Gelu, Activation::GeluTanh, Activation::Relu);
  std::vector<float> x{0, 1e-30F, -1e-30F, 200, -200, 1e4F, -1e4F, 1e30F, -1e30F};
  for (const float number : someNumbers(1000, 1, 12))
    x.push_back(number);
  std::vector<float> y = x;
  activate(activation, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto z = static_cast<double>(x[i]);
    INFO(z);
    CHECK(static_cast<double>(y[i]) ==
          Approx(activated(activation, z)).epsilon(1e-6).margin(3e-7 * std::min(std::abs(z), 6.0)));
  }
}

TEST_CASE("a gated activation multiplies by the other map", "[model]") {
  const Index count = GENERATE(1, 15, 16, 37);
  const std::vector<float> other = someNumbers(count, 2);
  std::vector<float> x = someNumbers(count, 1, 4);
  std::vector<float> alone = x;
  activate(Activation::Silu, alone);
  activate(Activation::Silu, x, other);
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(x[i] == alone[i] * other[i]);
}

TEST_CASE("norms divide by the root mean square, or by the deviation from the mean", "[model]") {
  const auto kind = GENERATE(NormKind::Rms, NormKind::Layer);
  const std::vector<float> x = someNumbers(37, 3, 5);
  Norm norm = someNorm(37, 4);
  if (kind == NormKind::Layer)
    norm.bias = someNumbers(37, 5);
  std::vector<float> y = x;
  normalizeRow(norm, {kind, 1e-5}, y);
  double mean = 0;
  double square = 0;
  for (const float value : x)
    mean += kind == NormKind::Layer ? static_cast<double>(value) / 37 : 0;
  for (const float value : x)
    square += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean) / 37;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double bias = norm.bias.empty() ? 0 : static_cast<double>(norm.bias[i]);
    CHECK(static_cast<double>(y[i]) ==
          Approx((static_cast<double>(x[i]) - mean) / std::sqrt(square + 1e-5) *
                     static_cast<double>(norm.weight[i]) +
                 bias)
              .margin(1e-5));
  }
}

TEST_CASE("rows without a norm stay as they are", "[model]") {
  const Matrix<float> x = someMatrix(5, 8, 1);
  Matrix<float> y(5, 8);
  normalizeRows({}, {}, x.view(), y.view(), {});
  CHECK(y == x);
}

TEST_CASE("a rotation turns the numbers i and i + width / 2 by position times frequency",
          "[model]") {
  const Rotation rotation{4, {0.5, 0.01}, 2};
  const RotationTable table(rotation, 40);
  const std::vector<float> x{1, 2, 3, 4, 5};
  std::vector<float> y = x;
  table.turn(y, 33);
  for (std::size_t i = 0; i < 2; ++i) {
    const double angle = 33 * rotation.frequencies[i];
    const auto low = static_cast<double>(x[i]);
    const auto high = static_cast<double>(x[i + 2]);
    CHECK(y[i] == Approx(2 * (low * std::cos(angle) - high * std::sin(angle))));
    CHECK(y[i + 2] == Approx(2 * (high * std::cos(angle) + low * std::sin(angle))));
  }
  CHECK(y[4] == 5.0F);
}
