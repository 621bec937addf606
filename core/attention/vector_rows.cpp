#include "core/attention/vector_rows.h"

#include "core/support/vector_targets.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/vector_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Lanes = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Lanes<T>>;
template <class T>
constexpr Lanes<T> kTag{};
template <class T>
constexpr std::size_t kLanes = hn::MaxLanes(Lanes<T>());
template <class T>
constexpr T kInfinity = std::numeric_limits<T>::infinity();

// e^x as in core/attention/exp.h: x = m ln 2 + r, Cephes' polynomial for e^r, m by its exponent
// bits. Right for |x| ≤ 87.
HWY_INLINE Vector<float> powerWithin(Vector<float> within) {
  constexpr Lanes<float> tag;
  const auto round = hn::Set(tag, 12582912.0F); // 1.5 · 2^23: adding it rounds to an integer
  const auto shifted = hn::MulAdd(within, hn::Set(tag, 1.44269504088896341F), round);
  const auto m = hn::Sub(shifted, round);
  auto r = hn::NegMulAdd(m, hn::Set(tag, 0.693359375F), within);
  r = hn::NegMulAdd(m, hn::Set(tag, -2.12194440e-4F), r);
  auto p = hn::MulAdd(hn::Set(tag, 1.9875691500E-4F), r, hn::Set(tag, 1.3981999507E-3F));
  p = hn::MulAdd(p, r, hn::Set(tag, 8.3334519073E-3F));
  p = hn::MulAdd(p, r, hn::Set(tag, 4.1665795894E-2F));
  p = hn::MulAdd(p, r, hn::Set(tag, 1.6666665459E-1F));
  p = hn::MulAdd(p, r, hn::Set(tag, 5.0000001201E-1F));
  p = hn::MulAdd(hn::MulAdd(p, r, hn::Set(tag, 1.0F)), r, hn::Set(tag, 1.0F));
  const hn::RebindToSigned<Lanes<float>> ints;
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(ints, shifted));
  return hn::BitCast(tag, hn::Add(hn::BitCast(ints, p), exponent));
}

// The same for any x; few vectors have numbers beyond.
HWY_INLINE Vector<float> powerOf(Vector<float> x) {
  constexpr Lanes<float> tag;
  if (HWY_LIKELY(hn::AllTrue(tag, hn::Le(hn::Abs(x), hn::Set(tag, 87.0F)))))
    return powerWithin(x);
  auto power = powerWithin(hn::Min(hn::Max(x, hn::Set(tag, -87.0F)), hn::Set(tag, 88.0F)));
  power = hn::IfThenZeroElse(hn::Lt(x, hn::Set(tag, -87.0F)), power);
  power = hn::IfThenElse(hn::Gt(x, hn::Set(tag, 88.0F)), hn::Set(tag, kInfinity<float>), power);
  return hn::IfThenElse(hn::Eq(x, x), power, x);
}

// Beyond 710 every power is infinite, below −746 zero; Highway's holds between.
HWY_INLINE Vector<double> powerOf(Vector<double> x) {
  constexpr Lanes<double> tag;
  const auto within = hn::Min(hn::Max(x, hn::Set(tag, -746.0)), hn::Set(tag, 710.0));
  return hn::IfThenElse(hn::Eq(x, x), hn::Exp(tag, within), x);
}

// Replaces every number of `u` by map(numbers in a vector); the last ones through a buffer.
template <class T, class Map>
HWY_INLINE void forEachVector(T* u, std::size_t count, Map map) {
  constexpr Lanes<T> tag;
  std::size_t c = 0;
  for (; c + kLanes<T> <= count; c += kLanes<T>)
    hn::StoreU(map(hn::LoadU(tag, u + c)), tag, u + c);
  if (c == count)
    return;
  HWY_ALIGN T rest[kLanes<T>] = {};
  std::copy(u + c, u + count, rest);
  hn::Store(map(hn::Load(tag, rest)), tag, rest);
  std::copy_n(rest, count - c, u + c);
}

template <class T>
void exponentials(T* u, std::size_t count, const Exponentials<T>& by) {
  constexpr Lanes<T> tag;
  const auto h = hn::Set(tag, by.h);
  const auto shift = hn::Set(tag, by.shift);
  const auto eps = hn::Set(tag, by.eps);
  const auto factor = hn::Set(tag, by.factor);
  forEachVector(u, count, [&](Vector<T> x) {
    const Vector<T> power = powerOf(hn::Sub(hn::Sub(x, h), shift));
    return hn::Mul(factor, hn::Add(power, eps));
  });
}

template <class T>
void elu(T* u, std::size_t count) {
  constexpr Lanes<T> tag;
  forEachVector(u, count, [&](Vector<T> x) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(tag)), hn::Add(x, hn::Set(tag, T{1})), powerOf(x));
  });
}

// Whether every |x| is less than `limit`, by the largest bits of an absolute value, without
// branches: all input goes through this loop.
template <class T>
bool below(const T* x, std::size_t count, T limit) {
  using Ints = hn::RebindToSigned<Lanes<T>>;
  using Bits = hn::TFromD<Ints>;
  constexpr Ints ints;
  constexpr std::size_t kTogether = 4;
  const auto absolute = hn::Set(ints, std::numeric_limits<Bits>::max());
  const auto bits = [&](std::size_t c) {
    return hn::And(hn::BitCast(ints, hn::LoadU(kTag<T>, x + c)), absolute);
  };
  auto most = hn::Zero(ints);
  std::size_t c = 0;
  for (; c + kTogether * kLanes<T> <= count; c += kTogether * kLanes<T>) {
    const auto low = hn::Max(bits(c), bits(c + kLanes<T>));
    const auto high = hn::Max(bits(c + 2 * kLanes<T>), bits(c + 3 * kLanes<T>));
    most = hn::Max(most, hn::Max(low, high));
  }
  for (; c + kLanes<T> <= count; c += kLanes<T>)
    most = hn::Max(most, bits(c));
  bool all = hn::AllTrue(ints, hn::Lt(most, hn::Set(ints, std::bit_cast<Bits>(limit))));
  for (; c < count; ++c)
    all = all && std::abs(x[c]) < limit;
  return all;
}

template <class T>
void circle(T* u, T* sines, std::size_t count, T factor) {
  constexpr Lanes<T> tag;
  if (!below(u, count, T{39000})) { // up to there Highway's reduction of angles holds
    for (std::size_t c = 0; c < count; ++c) {
      const T angle = u[c];
      sines[c] = factor * std::sin(angle);
      u[c] = factor * std::cos(angle);
    }
    return;
  }
  const auto by = hn::Set(tag, factor);
  std::copy_n(u, count, sines);
  forEachVector(sines, count, [&](Vector<T> x) { return hn::Mul(by, hn::Sin(tag, x)); });
  forEachVector(u, count, [&](Vector<T> x) { return hn::Mul(by, hn::Cos(tag, x)); });
}

// Σ of term(x, y) by sums side by side, the last numbers through buffers.
template <class T, class Term>
HWY_INLINE T sumOf(const T* x, const T* y, std::size_t count, Term term) {
  constexpr Lanes<T> tag;
  Vector<T> sums[4] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
  std::size_t c = 0;
  for (; c + 4 * kLanes<T> <= count; c += 4 * kLanes<T>)
    for (std::size_t v = 0; v < 4; ++v) {
      const std::size_t at = c + v * kLanes<T>;
      sums[v] = term(hn::LoadU(tag, x + at), hn::LoadU(tag, y + at), sums[v]);
    }
  for (; c < count; c += kLanes<T>) {
    const std::size_t left = std::min(kLanes<T>, count - c);
    HWY_ALIGN T lastX[kLanes<T>] = {};
    HWY_ALIGN T lastY[kLanes<T>] = {};
    std::copy_n(x + c, left, lastX);
    std::copy_n(y + c, left, lastY);
    sums[0] = term(hn::Load(tag, lastX), hn::Load(tag, lastY), sums[0]);
  }
  const auto all = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return hn::GetLane(hn::SumOfLanes(tag, all));
}

template <class T>
T inner(const T* x, const T* y, std::size_t count) {
  return sumOf(x, y, count,
               [](Vector<T> a, Vector<T> b, Vector<T> sum) { return hn::MulAdd(a, b, sum); });
}

template <class T>
T total(const T* x, std::size_t count) {
  return sumOf(x, x, count, [](Vector<T> a, Vector<T>, Vector<T> sum) { return hn::Add(a, sum); });
}

template <class T>
T squares(const T* x, std::size_t count, T scale) {
  const auto by = hn::Set(kTag<T>, scale);
  return sumOf(x, x, count, [&](Vector<T> a, Vector<T>, Vector<T> sum) {
    const auto scaled = hn::Mul(by, a);
    return hn::MulAdd(scaled, scaled, sum);
  });
}

template <class T>
T most(const T* x, std::size_t count) {
  constexpr Lanes<T> tag;
  auto best = hn::Set(tag, -kInfinity<T>);
  std::size_t c = 0;
  for (; c + kLanes<T> <= count; c += kLanes<T>)
    best = hn::Max(best, hn::LoadU(tag, x + c));
  T most = hn::GetLane(hn::MaxOfLanes(tag, best));
  for (; c < count; ++c)
    most = std::max(most, x[c]);
  return most;
}

// The last numbers by a vector too, whose steps may be fused where a scalar's are not.
template <class T>
void weighted(const T* x, T a, const T* y, T b, T* sum, std::size_t count) {
  constexpr Lanes<T> tag;
  const auto byX = hn::Set(tag, a);
  const auto byY = hn::Set(tag, b);
  const auto of = [&](Vector<T> u, Vector<T> v) { return hn::MulAdd(byX, u, hn::Mul(byY, v)); };
  std::size_t c = 0;
  for (; c + kLanes<T> <= count; c += kLanes<T>)
    hn::StoreU(of(hn::LoadU(tag, x + c), hn::LoadU(tag, y + c)), tag, sum + c);
  if (c == count)
    return;
  HWY_ALIGN T lastX[kLanes<T>] = {};
  HWY_ALIGN T lastY[kLanes<T>] = {};
  std::copy(x + c, x + count, lastX);
  std::copy(y + c, y + count, lastY);
  hn::Store(of(hn::Load(tag, lastX), hn::Load(tag, lastY)), tag, lastX);
  std::copy_n(lastX, count - c, sum + c);
}

// V vectors of columns from all rows.
template <int V, class T>
HWY_INLINE void addVectors(const MatrixView<const T>& rows, std::size_t from, T* sums) {
  constexpr Lanes<T> tag;
  Vector<T> s[static_cast<std::size_t>(V)];
  for (std::size_t v = 0; v < V; ++v)
    s[v] = hn::LoadU(tag, sums + from + v * kLanes<T>);
  const T* row = rows.data + from;
  for (Index i = 0; i < rows.rows; ++i, row += rows.stride)
    for (std::size_t v = 0; v < V; ++v)
      s[v] = hn::Add(s[v], hn::LoadU(tag, row + v * kLanes<T>));
  for (std::size_t v = 0; v < V; ++v)
    hn::StoreU(s[v], tag, sums + from + v * kLanes<T>);
}

template <class T>
void columns(const MatrixView<const T>& rows, T* sums) {
  constexpr int kTogether = 4;
  const auto count = static_cast<std::size_t>(rows.cols);
  std::size_t c = 0;
  for (; c + kTogether * kLanes<T> <= count; c += kTogether * kLanes<T>)
    addVectors<kTogether>(rows, c, sums);
  for (; c + kLanes<T> <= count; c += kLanes<T>)
    addVectors<1>(rows, c, sums);
  for (; c < count; ++c)
    for (Index i = 0; i < rows.rows; ++i)
      sums[c] += rows(i, static_cast<Index>(c));
}

template <class T>
void quotients(T* x, std::size_t count, T d) {
  const auto by = hn::Set(kTag<T>, d);
  forEachVector(x, count, [&](Vector<T> a) { return hn::Div(a, by); });
}

template <class T>
void caps(T* x, std::size_t count, T c) {
  const auto cap = hn::Set(kTag<T>, c);
  forEachVector(x, count,
                [&](Vector<T> a) { return hn::Mul(cap, hn::Tanh(kTag<T>, hn::Div(a, cap))); });
}

void floatLogSums(float* x, std::size_t count, float c) {
  const auto other = hn::Set(kTag<float>, c);
  forEachVector(x, count, [&](Vector<float> a) {
    const auto smaller = hn::Exp(kTag<float>, hn::Neg(hn::Abs(hn::Sub(a, other))));
    return hn::Add(hn::Max(a, other), hn::Log1p(kTag<float>, smaller));
  });
}
void floatCaps(float* x, std::size_t count, float c) {
  caps(x, count, c);
}
void doubleCaps(double* x, std::size_t count, double c) {
  caps(x, count, c);
}
void floatExponentials(float* u, std::size_t count, const Exponentials<float>& by) {
  exponentials(u, count, by);
}
void doubleExponentials(double* u, std::size_t count, const Exponentials<double>& by) {
  exponentials(u, count, by);
}
void floatElu(float* u, std::size_t count) {
  elu(u, count);
}
void doubleElu(double* u, std::size_t count) {
  elu(u, count);
}
void floatCircle(float* u, float* sines, std::size_t count, float factor) {
  circle(u, sines, count, factor);
}
void doubleCircle(double* u, double* sines, std::size_t count, double factor) {
  circle(u, sines, count, factor);
}
float floatInner(const float* x, const float* y, std::size_t count) {
  return inner(x, y, count);
}
double doubleInner(const double* x, const double* y, std::size_t count) {
  return inner(x, y, count);
}
float floatTotal(const float* x, std::size_t count) {
  return total(x, count);
}
float floatSquares(const float* x, std::size_t count, float scale) {
  return squares(x, count, scale);
}
double doubleTotal(const double* x, std::size_t count) {
  return total(x, count);
}
double doubleSquares(const double* x, std::size_t count, double scale) {
  return squares(x, count, scale);
}
float floatMost(const float* x, std::size_t count) {
  return most(x, count);
}
double doubleMost(const double* x, std::size_t count) {
  return most(x, count);
}
void floatWeighted(const float* x, float a, const float* y, float b, float* sum,
                   std::size_t count) {
  weighted(x, a, y, b, sum, count);
}
void doubleWeighted(const double* x, double a, const double* y, double b, double* sum,
                    std::size_t count) {
  weighted(x, a, y, b, sum, count);
}
void floatColumns(const MatrixView<const float>& rows, float* sums) {
  columns(rows, sums);
}
void doubleColumns(const MatrixView<const double>& rows, double* sums) {
  columns(rows, sums);
}
void floatQuotients(float* x, std::size_t count, float d) {
  quotients(x, count, d);
}
void doubleQuotients(double* x, std::size_t count, double d) {
  quotients(x, count, d);
}
bool floatBelow(const float* x, std::size_t count, float bound) {
  return below(x, count, bound);
}
bool doubleBelow(const double* x, std::size_t count, double bound) {
  return below(x, count, bound);
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(floatLogSums);
HWY_EXPORT(floatCaps);
HWY_EXPORT(doubleCaps);
HWY_EXPORT(floatExponentials);
HWY_EXPORT(doubleExponentials);
HWY_EXPORT(floatElu);
HWY_EXPORT(doubleElu);
HWY_EXPORT(floatCircle);
HWY_EXPORT(doubleCircle);
HWY_EXPORT(floatInner);
HWY_EXPORT(doubleInner);
HWY_EXPORT(floatTotal);
HWY_EXPORT(floatSquares);
HWY_EXPORT(doubleTotal);
HWY_EXPORT(doubleSquares);
HWY_EXPORT(floatMost);
HWY_EXPORT(doubleMost);
HWY_EXPORT(floatWeighted);
HWY_EXPORT(doubleWeighted);
HWY_EXPORT(floatColumns);
HWY_EXPORT(doubleColumns);
HWY_EXPORT(floatQuotients);
HWY_EXPORT(doubleQuotients);
HWY_EXPORT(floatBelow);
HWY_EXPORT(doubleBelow);

} // namespace

template <>
void exponentiate(std::span<float> u, const Exponentials<float>& by) {
  HWY_DYNAMIC_DISPATCH(floatExponentials)(u.data(), u.size(), by);
}
template <>
void exponentiate(std::span<double> u, const Exponentials<double>& by) {
  HWY_DYNAMIC_DISPATCH(doubleExponentials)(u.data(), u.size(), by);
}
template <>
void eluPlusOne(std::span<float> u) {
  HWY_DYNAMIC_DISPATCH(floatElu)(u.data(), u.size());
}
template <>
void eluPlusOne(std::span<double> u) {
  HWY_DYNAMIC_DISPATCH(doubleElu)(u.data(), u.size());
}
void addLog(std::span<float> x, float c) {
  HWY_DYNAMIC_DISPATCH(floatLogSums)(x.data(), x.size(), c);
}
template <>
void capRow(std::span<float> x, float c) {
  HWY_DYNAMIC_DISPATCH(floatCaps)(x.data(), x.size(), c);
}
template <>
void capRow(std::span<double> x, double c) {
  HWY_DYNAMIC_DISPATCH(doubleCaps)(x.data(), x.size(), c);
}
template <>
void cosinesAndSines(std::span<float> u, std::span<float> sines, float factor) {
  HWY_DYNAMIC_DISPATCH(floatCircle)(u.data(), sines.data(), u.size(), factor);
}
template <>
void cosinesAndSines(std::span<double> u, std::span<double> sines, double factor) {
  HWY_DYNAMIC_DISPATCH(doubleCircle)(u.data(), sines.data(), u.size(), factor);
}
template <>
float innerProduct(std::span<const float> x, std::span<const float> y) {
  return HWY_DYNAMIC_DISPATCH(floatInner)(x.data(), y.data(), x.size());
}
template <>
double innerProduct(std::span<const double> x, std::span<const double> y) {
  return HWY_DYNAMIC_DISPATCH(doubleInner)(x.data(), y.data(), x.size());
}
template <>
float sumOfRow(std::span<const float> x) {
  return HWY_DYNAMIC_DISPATCH(floatTotal)(x.data(), x.size());
}
template <>
float squaredLength(std::span<const float> x, float scale) {
  return HWY_DYNAMIC_DISPATCH(floatSquares)(x.data(), x.size(), scale);
}
template <>
double sumOfRow(std::span<const double> x) {
  return HWY_DYNAMIC_DISPATCH(doubleTotal)(x.data(), x.size());
}
template <>
double squaredLength(std::span<const double> x, double scale) {
  return HWY_DYNAMIC_DISPATCH(doubleSquares)(x.data(), x.size(), scale);
}
template <>
float largestOf(std::span<const float> x) {
  return HWY_DYNAMIC_DISPATCH(floatMost)(x.data(), x.size());
}
template <>
double largestOf(std::span<const double> x) {
  return HWY_DYNAMIC_DISPATCH(doubleMost)(x.data(), x.size());
}

template <>
void weightedSum(std::span<const float> x, float a, std::span<const float> y, float b,
                 std::span<float> sum) {
  HWY_DYNAMIC_DISPATCH(floatWeighted)(x.data(), a, y.data(), b, sum.data(), x.size());
}
template <>
void addColumns(MatrixView<const float> rows, std::span<float> sums) {
  HWY_DYNAMIC_DISPATCH(floatColumns)(rows, sums.data());
}
template <>
void divideRow(std::span<float> x, float d) {
  HWY_DYNAMIC_DISPATCH(floatQuotients)(x.data(), x.size(), d);
}
template <>
bool allBelow(std::span<const float> x, float bound) {
  return HWY_DYNAMIC_DISPATCH(floatBelow)(x.data(), x.size(), bound);
}
template <>
void weightedSum(std::span<const double> x, double a, std::span<const double> y, double b,
                 std::span<double> sum) {
  HWY_DYNAMIC_DISPATCH(doubleWeighted)(x.data(), a, y.data(), b, sum.data(), x.size());
}
template <>
void addColumns(MatrixView<const double> rows, std::span<double> sums) {
  HWY_DYNAMIC_DISPATCH(doubleColumns)(rows, sums.data());
}
template <>
void divideRow(std::span<double> x, double d) {
  HWY_DYNAMIC_DISPATCH(doubleQuotients)(x.data(), x.size(), d);
}
template <>
bool allBelow(std::span<const double> x, double bound) {
  return HWY_DYNAMIC_DISPATCH(doubleBelow)(x.data(), x.size(), bound);
}

} // namespace attention
#endif
