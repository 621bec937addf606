// What the kernels of attention share, once for each kind of vectors: floats in vectors, powers of
// two, biases, and transposes of four by four.
#include "core/attention/score_bias.h"
#include "core/support/integers.h"

#include <limits>

#if defined(ATTENTION_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTENTION_VECTORS_INL_H
#undef ATTENTION_VECTORS_INL_H
#else
#define ATTENTION_VECTORS_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<float>;
using Vector = hn::Vec<Lanes>;
constexpr Lanes kTag;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(kTag));
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// 2^x for x ≤ 0: x = n + f with |f| ≤ ½, a polynomial for 2^f (minimax, relative error 2^−23), n
// added to its exponent. Zero below −126 and for NaN, so no result is ever subnormal.
HWY_INLINE Vector exp2(Vector x) {
  const Vector round = hn::Set(kTag, 12582912.0F); // 1.5 · 2^23
  const Vector shifted = hn::Add(x, round);
  const Vector f = hn::Sub(x, hn::Sub(shifted, round));
  Vector p = hn::MulAdd(hn::Set(kTag, 1.326468890e-03F), f, hn::Set(kTag, 9.671512060e-03F));
  p = hn::MulAdd(p, f, hn::Set(kTag, 5.550733954e-02F));
  p = hn::MulAdd(p, f, hn::Set(kTag, 2.402224243e-01F));
  p = hn::MulAdd(p, f, hn::Set(kTag, 6.931470037e-01F));
  p = hn::MulAdd(p, f, hn::Set(kTag, 1.0F));
  const hn::RebindToSigned<Lanes> ints;
  const auto n = hn::ShiftLeft<23>(hn::BitCast(ints, shifted));
  const Vector power = hn::BitCast(kTag, hn::Add(hn::BitCast(ints, p), n));
  return hn::IfThenElseZero(hn::Gt(x, hn::Set(kTag, -126.0F)), power);
}

// tanh |y|: with t = e^(−2 |y|) it is (1 − t) / (1 + t), which cancels below ¼, where the series
// has a relative error of 2^−26. The relative error is below 6 · 2^−23.
HWY_INLINE Vector tanhOfSize(Vector y) {
  const Vector one = hn::Set(kTag, 1.0F);
  const Vector t = exp2(hn::Mul(y, hn::Set(kTag, -2.8853900817779268F))); // 2 log2(e)
  const Vector large = hn::Div(hn::Sub(one, t), hn::Add(one, t));
  const Vector z = hn::Mul(y, y);
  Vector p = hn::MulAdd(hn::Set(kTag, 2.186948853e-02F), z, hn::Set(kTag, -5.396825397e-02F));
  p = hn::MulAdd(p, z, hn::Set(kTag, 1.333333333e-01F));
  p = hn::MulAdd(p, z, hn::Set(kTag, -3.333333333e-01F));
  const Vector small = hn::MulAdd(hn::Mul(p, z), y, y);
  return hn::IfThenElse(hn::Lt(y, hn::Set(kTag, 0.25F)), small, large);
}

// cap · tanh(x / cap) for cap > 0, where `per` is 1 / cap. The error of the score is at most that
// of x (the slope is at most 1) plus 6 · 2^−23 of it.
HWY_INLINE Vector softCapped(Vector x, Vector cap, Vector per) {
  const Vector size = hn::Mul(cap, tanhOfSize(hn::Abs(hn::Mul(x, per))));
  return hn::IfThenElse(hn::Eq(x, x), hn::CopySign(size, x), x); // NaN stays
}

using IntLanes = hn::RebindToSigned<Lanes>;
using IntVector = hn::Vec<IntLanes>;
constexpr IntLanes kIntTag;

// The bias of keys at these distances from the queries' tokens.
HWY_INLINE Vector biasAt(const ScoreBias& bias, IntVector distance) {
  if (bias.table != nullptr) {
    const IntVector most = hn::Set(kIntTag, bias.radius);
    const IntVector kept = hn::Min(hn::Max(distance, hn::Neg(most)), most);
    return hn::GatherIndex(kTag, bias.table, hn::Add(kept, most));
  }
  const Vector r = hn::ConvertTo(kTag, distance);
  const Vector zero = hn::Zero(kTag);
  return hn::MulAdd(hn::Set(kTag, bias.before), hn::Min(r, zero),
                    hn::Mul(hn::Set(kTag, bias.after), hn::Max(r, zero)));
}

#if HWY_TARGET != HWY_SCALAR

using Quad = hn::FixedTag<float, 4>;
struct Quads {
  HWY_ATTR Quads() {} // as RegisterTile's. NOLINT(modernize-use-equals-default)
  hn::Vec<Quad> at[4];
};

// Rows to columns.
HWY_INLINE Quads transposed(const Quads& a) {
  const Quad tag;
  const auto low01 = hn::InterleaveLower(tag, a.at[0], a.at[1]);
  const auto low23 = hn::InterleaveLower(tag, a.at[2], a.at[3]);
  const auto high01 = hn::InterleaveUpper(tag, a.at[0], a.at[1]);
  const auto high23 = hn::InterleaveUpper(tag, a.at[2], a.at[3]);
  Quads b;
  b.at[0] = hn::ConcatLowerLower(tag, low23, low01);
  b.at[1] = hn::ConcatUpperUpper(tag, low23, low01);
  b.at[2] = hn::ConcatLowerLower(tag, high23, high01);
  b.at[3] = hn::ConcatUpperUpper(tag, high23, high01);
  return b;
}

#endif

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
