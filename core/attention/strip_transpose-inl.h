// The width of a strip (strip_kernel.h), and queries and outputs brought into its order and back,
// once for each kind of vectors.
#include "core/support/integers.h"

#if defined(ATTENTION_STRIP_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTENTION_STRIP_TRANSPOSE_INL_H
#undef ATTENTION_STRIP_TRANSPOSE_INL_H
#else
#define ATTENTION_STRIP_TRANSPOSE_INL_H
#endif

#include "core/attention/vectors-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

// The vectors of a strip: four where there are 32 registers, else two.
constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON;
constexpr int kVectors = kManyRegisters ? 4 : 2;
constexpr Index kWidth = kVectors * kLanes;

#if HWY_TARGET == HWY_SCALAR

void transposeIn(const float* const* rows, Index count, Index cols, float factor, float* to) {
  for (Index c = 0; c < cols; ++c)
    for (Index r = 0; r < kWidth; ++r)
      to[c * kWidth + r] = r < count ? factor * rows[r][c] : 0.0F;
}

void transposeOut(const float* from, float* const* rows, Index count, Index cols) {
  for (Index c = 0; c < cols; ++c)
    for (Index r = 0; r < count; ++r)
      rows[r][c] = from[c * kWidth + r];
}

#else

// Columns c … c + 3 of every fourth row, as many as fill a vector.
template <class Tag>
HWY_INLINE hn::Vec<Tag> everyFourth(const Tag& tag, const float* const* rows, Index c) {
  if constexpr (hn::MaxLanes(Tag()) <= 4) {
    return hn::LoadU(tag, rows[0] + c);
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(tag, everyFourth(half, rows + hn::MaxLanes(half), c),
                       everyFourth(half, rows, c));
  }
}

// Four columns of as many rows as a vector has lanes.
HWY_INLINE void transposeColumns(const float* const* rows, Index c, float factor, float* to) {
  const hn::Repartition<std::uint64_t, Lanes> pairs;
  const Vector scale = hn::Set(kTag, factor);
  Vector a[4];
  for (int k = 0; k < 4; ++k)
    a[k] = hn::Mul(scale, everyFourth(kTag, rows + k, c));
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(kTag, a[0], a[1]));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(kTag, a[2], a[3]));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(kTag, a[0], a[1]));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(kTag, a[2], a[3]));
  hn::Store(hn::BitCast(kTag, hn::InterleaveLower(pairs, low01, low23)), kTag, to);
  hn::Store(hn::BitCast(kTag, hn::InterleaveUpper(pairs, low01, low23)), kTag, to + kWidth);
  hn::Store(hn::BitCast(kTag, hn::InterleaveLower(pairs, high01, high23)), kTag, to + 2 * kWidth);
  hn::Store(hn::BitCast(kTag, hn::InterleaveUpper(pairs, high01, high23)), kTag, to + 3 * kWidth);
}

void transposeIn(const float* const* rows, Index count, Index cols, float factor, float* to) {
  const Quad tag;
  const auto scale = hn::Set(tag, factor);
  Index whole = 0; // rows done, a vector's lanes at a time
  for (; whole + kLanes <= count; whole += kLanes) {
    Index c = 0;
    for (; c + 4 <= cols; c += 4)
      transposeColumns(rows + whole, c, factor, to + c * kWidth + whole);
    for (; c < cols; ++c)
      for (Index k = whole; k < whole + kLanes; ++k)
        to[c * kWidth + k] = factor * rows[k][c];
  }
  for (Index r = whole; r < kWidth; r += 4) {
    Index c = 0;
    for (; r + 4 <= count && c + 4 <= cols; c += 4) {
      Quads a;
      for (Index k = 0; k < 4; ++k)
        a.at[k] = hn::Mul(scale, hn::LoadU(tag, rows[r + k] + c));
      a = transposed(a);
      for (Index k = 0; k < 4; ++k)
        hn::Store(a.at[k], tag, to + (c + k) * kWidth + r);
    }
    for (; c < cols; ++c)
      for (Index k = r; k < r + 4; ++k)
        to[c * kWidth + k] = k < count ? factor * rows[k][c] : 0.0F;
  }
}

void transposeOut(const float* from, float* const* rows, Index count, Index cols) {
  const Quad tag;
  for (Index r = 0; r < count; r += 4) {
    Index c = 0;
    for (; r + 4 <= count && c + 4 <= cols; c += 4) {
      Quads a;
      for (Index k = 0; k < 4; ++k)
        a.at[k] = hn::Load(tag, from + (c + k) * kWidth + r);
      a = transposed(a);
      for (Index k = 0; k < 4; ++k)
        hn::StoreU(a.at[k], tag, rows[r + k] + c);
    }
    for (; c < cols; ++c)
      for (Index k = r; k < std::min(r + 4, count); ++k)
        rows[k][c] = from[c * kWidth + k];
  }
}

#endif

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
