// Values near the end of their type: sums overflow, means do not.
#include "core/attention/attend.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/attention/kernel.h"
#include "core/attention/merge.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "tests/core/attention/against_twin.h"

using namespace attention;

namespace {

std::vector<Pattern> somePatterns() {
  Strided strided;
  strided.stride = 7;
  Local local;
  local.window = 5;
  return {Pattern(Full{}),       Pattern(Causal{}),   Pattern(strided),    Pattern(local),
          Pattern(Longformer{}), patternNamed("lsh"), patternNamed("topk")};
}

} // namespace

TEST_CASE("the mean of equal values is that value up to the largest float") {
  const Index n = 150;
  const float value =
      GENERATE(1e38F, 3e38F, std::numeric_limits<float>::max(), -std::numeric_limits<float>::max());
  RandomQkv<float> in(n, n, 4, 3, 5);
  std::fill(in.v.data(), in.v.data() + n * 3, value);
  const PatternData data = patternData<float>(in.qView(), in.qView(), true);
  for (const Pattern& pattern : somePatterns()) {
    INFO(shortText(pattern) << ", value " << value);
    const auto prepared = prepare(pattern, squareLengths(n), data);
    const auto result = attend(*prepared, in.qView(), in.kView(), in.vView());
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < 3; ++c)
        if (prepared->rowCount(i, 0, n) > 0)
          CHECK(result.out(i, c) == value);
  }
}

TEST_CASE("means of large values are the twin's, and small values beside them keep their digits") {
  const Index n = 90;
  RandomQkv<float> in(n, n, 4, 3, 6);
  for (Index j = 0; j < n; ++j) {
    in.v(j, 0) *= 1e38F; // sums of 90 overflow
    in.v(j, 2) *= 1e-30F;
  }
  for (const Pattern& pattern : {Pattern(Full{}), Pattern(Causal{})}) {
    const auto prepared = prepare(pattern, squareLengths(n));
    const auto fast = attend(*prepared, in.qView(), in.kView(), in.vView());
    const Matrix<double> q = widened(in.q);
    const Matrix<double> k = widened(in.k);
    const Matrix<double> v = widened(in.v);
    const auto twin = attend(*prepared, std::as_const(q).view(), std::as_const(k).view(),
                             std::as_const(v).view());
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < 3; ++c) {
        const double size = c == 0 ? 3e38 : c == 1 ? 3 : 3e-30;
        CHECK(std::abs(static_cast<double>(fast.out(i, c)) - twin.out(i, c)) < 1e-5 * size);
      }
  }
}

TEST_CASE("the mean of equal doubles is that value, and so is a merge of two of them") {
  RandomQkv<double> in(20, 20, 3, 2, 7);
  std::fill(in.v.data(), in.v.data() + 40, 1.5e308);
  const auto full = prepare(Full{}, squareLengths(20));
  const auto result = attend(*full, in.qView(), in.kView(), in.vView());
  for (const double o : result.out.values())
    CHECK(o == Approx(1.5e308));
  std::vector<float> out{3e38F};
  const std::vector<float> other{3e38F};
  mergeRow<float>(out, 0.0F, other, 0.0F);
  CHECK(out.front() == Approx(3e38F));
}

namespace {

// Whether every row is finite, has no flag and is the mean `value` up to rounding.
template <class T>
void checkMeans(const KernelAttention<T>& result, MatrixView<const T> out, T value) {
  CHECK(result.nonFiniteRows.empty());
  for (Index i = 0; i < out.rows; ++i)
    for (Index c = 0; c < out.cols; ++c)
      CHECK(out(i, c) / value == Approx(1).epsilon(1e-5));
}

template <class T>
void checkKernelsOf(T value) {
  const Index n = 70;
  RandomQkv<T> in(n, n, 4, 2, 9);
  std::fill(in.v.data(), in.v.data() + n * 2, value);
  for (const Pattern& pattern : {Pattern(Full{}), Pattern(Causal{}), Pattern(Longformer{})})
    for (const Kernel kernel : {Kernel::Softmax, Kernel::Gaussian, Kernel::Elu1}) {
      INFO(shortText(pattern) << " " << name(kernel) << ", value " << value);
      const auto prepared = prepare(pattern, squareLengths(n));
      const auto result =
          kernelAttention<T>(*prepared, in.qView(), in.kView(), in.vView(), {kernel, true, 1});
      checkMeans<T>(result, result.out.view(), value);
    }
  Projection projection;
  projection.rows = 16;
  projection.d = 4;
  const Matrix<double> w = drawProjection(projection);
  for (const bool causal : {false, true}) {
    FeatureOptions features;
    features.map = FeatureMap::Positive;
    const auto result =
        featureAttention<T>(in.qView(), in.kView(), in.vView(), w, features, {causal, true, 1});
    checkMeans<T>(result, result.out.view(), value);
    Matrix<T> out(n, 2);
    const auto into = featureAttentionInto<T>(in.qView(), in.kView(), in.vView(), out.view(), w,
                                              features, {causal, true, 1});
    checkMeans<T>(into, std::as_const(out).view(), value);
    // Sums that are not divided overflow, and say so.
    CHECK(featureAttention<T>(in.qView(), in.kView(), in.vView(), w, features, {causal, false, 1})
              .nonFiniteRows.size() > 0);
  }
}

} // namespace

TEST_CASE("kernels and features of values near the end of their type keep their means") {
  checkKernelsOf<float>(3e38F);
  checkKernelsOf<double>(-1e308);
}

TEST_CASE("values that are not large are used unscaled") {
  RandomQkv<float> in(40, 40, 4, 2, 3);
  Matrix<float> large(in.v.rows(), in.v.cols());
  for (Index j = 0; j < 40; ++j)
    for (Index c = 0; c < 2; ++c)
      large(j, c) = std::ldexp(in.v(j, c), 100); // beyond the square root of the largest float
  const auto prepared = prepare(Pattern(Causal{}), squareLengths(40));
  const KernelOptions options{Kernel::Gaussian, true, 1};
  const auto small = kernelAttention<float>(*prepared, in.qView(), in.kView(), in.vView(), options);
  const auto scaled = kernelAttention<float>(*prepared, in.qView(), in.kView(),
                                             std::as_const(large).view(), options);
  for (Index i = 0; i < 40; ++i)
    for (Index c = 0; c < 2; ++c)
      CHECK(scaled.out(i, c) == std::ldexp(small.out(i, c), 100)); // exact
}
