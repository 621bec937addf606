#include "core/attention/sink.h"

#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/text.h"
#include "core/support/vector_targets.h"

#include <algorithm>
#include <cmath>
#include <limits>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/sink.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "core/attention/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

HWY_INLINE Vector shareOf(Vector sink, Vector maximum, Vector sum) {
  const Vector one = hn::Set(kTag, 1.0F);
  const Vector log2e = hn::Set(kTag, 1.4426950408889634F);
  const Vector apart = exp2(hn::Mul(hn::Neg(hn::Abs(hn::Sub(sink, maximum))), log2e));
  const auto below = hn::Le(sink, maximum);
  const Vector over = hn::IfThenElse(below, hn::Add(sum, apart), hn::MulAdd(sum, apart, one));
  return hn::Div(hn::IfThenElse(below, one, apart), over);
}

// The last ones through a buffer.
void shares(float sink, const float* maxima, float* sums, std::size_t count) {
  constexpr auto kStep = static_cast<std::size_t>(kLanes);
  const Vector given = hn::Set(kTag, sink);
  for (std::size_t r = 0; r < count; r += kStep) {
    const std::size_t here = std::min(kStep, count - r);
    HWY_ALIGN float maximum[kStep] = {};
    HWY_ALIGN float sum[kStep] = {};
    std::copy_n(maxima + r, here, maximum);
    std::copy_n(sums + r, here, sum);
    hn::Store(shareOf(given, hn::Load(kTag, maximum), hn::Load(kTag, sum)), kTag, sum);
    std::copy_n(sum, here, sums + r);
  }
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(shares);

} // namespace

void sharesBeside(std::optional<float> sink, std::span<const float> maxima, std::span<float> sums) {
  if (sink)
    HWY_DYNAMIC_DISPATCH(shares)(*sink, maxima.data(), sums.data(), sums.size());
  else
    for (float& sum : sums)
      sum = 1 / sum;
}

template <class T>
T withSink(T lse, double sink) {
  const auto s = static_cast<T>(sink);
  return std::max(lse, s) + std::log1p(std::exp(-std::abs(lse - s)));
}

template <class T>
T sinkAs(double sink) {
  if (sink > static_cast<double>(std::numeric_limits<T>::max()))
    throw Error(ErrorCode::NonFinite, "sink",
                "sink is " + shortest(sink) +
                    ", beyond float32; it must be at most 3.4·10³⁸ (or use float64)");
  return static_cast<T>(std::max(sink, static_cast<double>(std::numeric_limits<T>::lowest())));
}

template <>
void addSink(std::span<float> lse, float sink) {
  addLog(lse, sink);
}
template <>
void addSink(std::span<double> lse, double sink) {
  for (double& keys : lse)
    keys = withSink(keys, sink);
}

template float withSink(float, double);
template double withSink(double, double);
template float sinkAs(double);
template double sinkAs(double);

} // namespace attention
#endif
