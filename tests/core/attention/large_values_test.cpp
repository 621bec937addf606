// Values near the end of their type: sums overflow, means do not.
#include "core/attention/attend.h"
#include "core/attention/merge.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "tests/core/attention/against_twin.h"

#include <numeric>

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
  RandomInput<float> in(n, n, 4, 3, 5);
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
  RandomInput<float> in(n, n, 4, 3, 6);
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
  RandomInput<double> in(20, 20, 3, 2, 7);
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
