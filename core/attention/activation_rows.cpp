#include "core/attention/activation_rows.h"

#include "core/support/vector_targets.h"

#include <algorithm>
#include <cassert>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/activation_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<float>;
using Vector = hn::Vec<Lanes>;
constexpr Lanes kTag;
constexpr std::size_t kLanes = hn::MaxLanes(Lanes());

HWY_INLINE Vector of(float value) {
  return hn::Set(kTag, value);
}

// e^x for x ≤ 88, and e^88 beyond.
HWY_INLINE Vector power(Vector x) {
  return hn::Exp(kTag, hn::Min(x, of(88.0F)));
}

HWY_INLINE Vector silu(Vector x) {
  return hn::Div(x, hn::Add(of(1.0F), power(hn::Neg(x))));
}

// x (1 + tanh u) / 2 = x / (1 + e^−2u).
HWY_INLINE Vector geluTanh(Vector x) {
  const Vector cube = hn::Mul(hn::Mul(x, x), x);
  const Vector inner = hn::MulAdd(of(0.044715F), cube, x);
  return hn::Div(x, hn::Add(of(1.0F), power(hn::Mul(of(-1.5957691216057308F), inner))));
}

// erf z = 1 − (a₁t + … + a₅t⁵) e^−z², t = 1 / (1 + p z), z ≥ 0, with an error of at most 1.5 · 10⁻⁷
// (Abramowitz & Stegun, 7.1.26): about that of a rounded 1.
HWY_INLINE Vector gelu(Vector x) {
  const Vector z = hn::Mul(hn::Abs(x), of(0.70710678118654752F));
  const Vector t = hn::Div(of(1.0F), hn::MulAdd(of(0.3275911F), z, of(1.0F)));
  Vector sum = hn::MulAdd(of(1.061405429F), t, of(-1.453152027F));
  sum = hn::MulAdd(sum, t, of(1.421413741F));
  sum = hn::MulAdd(sum, t, of(-0.284496736F));
  sum = hn::MulAdd(sum, t, of(0.254829592F));
  const Vector rest = hn::Mul(hn::Mul(sum, t), power(hn::Neg(hn::Mul(z, z))));
  const Vector half = hn::Mul(of(0.5F), x);
  // 1 + erf is `rest` for x < 0, else 2 − rest.
  return hn::Mul(half, hn::IfThenElse(hn::Lt(x, hn::Zero(kTag)), rest, hn::Sub(of(2.0F), rest)));
}

HWY_INLINE Vector relu(Vector x) {
  return hn::Max(x, hn::Zero(kTag));
}

// x ← map(x) · y, or map(x) without a y; the last numbers through buffers.
template <class Map>
HWY_INLINE void apply(float* x, const float* y, std::size_t count, Map map) {
  std::size_t c = 0;
  for (; c + kLanes <= count; c += kLanes) {
    const Vector fx = map(hn::LoadU(kTag, x + c));
    hn::StoreU(y == nullptr ? fx : hn::Mul(fx, hn::LoadU(kTag, y + c)), kTag, x + c);
  }
  if (c == count)
    return;
  HWY_ALIGN float some[kLanes] = {};
  HWY_ALIGN float others[kLanes] = {};
  std::copy(x + c, x + count, some);
  if (y != nullptr)
    std::copy(y + c, y + count, others);
  const Vector fx = map(hn::Load(kTag, some));
  hn::Store(y == nullptr ? fx : hn::Mul(fx, hn::Load(kTag, others)), kTag, some);
  std::copy_n(some, count - c, x + c);
}

void siluNumbers(float* x, const float* y, std::size_t count) {
  apply(x, y, count, [](Vector v) { return silu(v); });
}

void geluNumbers(float* x, const float* y, std::size_t count) {
  apply(x, y, count, [](Vector v) { return gelu(v); });
}

void geluTanhNumbers(float* x, const float* y, std::size_t count) {
  apply(x, y, count, [](Vector v) { return geluTanh(v); });
}

void reluNumbers(float* x, const float* y, std::size_t count) {
  apply(x, y, count, [](Vector v) { return relu(v); });
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(siluNumbers);
HWY_EXPORT(geluNumbers);
HWY_EXPORT(geluTanhNumbers);
HWY_EXPORT(reluNumbers);

// Null where the row is not multiplied.
const float* factors([[maybe_unused]] std::span<float> x, std::span<const float> y) {
  assert(y.empty() || x.size() == y.size());
  return y.empty() ? nullptr : y.data();
}

} // namespace

void siluRow(std::span<float> x, std::span<const float> y) {
  HWY_DYNAMIC_DISPATCH(siluNumbers)(x.data(), factors(x, y), x.size());
}

void geluRow(std::span<float> x, std::span<const float> y) {
  HWY_DYNAMIC_DISPATCH(geluNumbers)(x.data(), factors(x, y), x.size());
}

void geluTanhRow(std::span<float> x, std::span<const float> y) {
  HWY_DYNAMIC_DISPATCH(geluTanhNumbers)(x.data(), factors(x, y), x.size());
}

void reluRow(std::span<float> x, std::span<const float> y) {
  HWY_DYNAMIC_DISPATCH(reluNumbers)(x.data(), factors(x, y), x.size());
}

} // namespace attention
#endif
