#include "core/support/tile_products.h"

#include "core/support/vector_targets.h"

#include <algorithm>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/support/tile_products.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "core/support/register_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Register tiles of 6 rows: 24 sums where there are 32 registers, 12 where there are 16.
constexpr int kRows = 6;
constexpr int kVectors = (HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON) ? 4 : 2;
constexpr Index kInner = 128;       // of a panel of b: what the first cache holds
constexpr Index kWorthPacking = 24; // rows that must use a panel for it to be worth copying

template <class T>
using Lanes = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Lanes<T>>;
template <class T>
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Lanes<T>()));
template <class T>
constexpr Index kWidth = kVectors* kLanes<T>;

// Some rows of b, kWidth columns of them.
template <class T>
struct Panel {
  const T* data;
  Index step; // values from one row to the next
  Index inner;
  Index cols; // in use; zeros after them
};

// R rows of `out` by V vectors of columns of a panel: starting from zero, or from what is there.
template <class T, int R, int V, Terms kTerms>
HWY_INLINE void tile(const StridedView<T>& a, const Panel<T>& b, bool add, T* out, Index stride) {
  constexpr Lanes<T> tag;
  RegisterTile<Lanes<T>, R, V> s;
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      s.at[r][v] = add ? hn::LoadU(tag, out + r * stride + v * kLanes<T>) : hn::Zero(tag);
  const T* x = a.data;
  const T* y = b.data;
  HWY_UNROLL(1)
  for (Index t = 0; t < b.inner; ++t, x += a.col, y += b.step)
    addOne<kTerms>(x, a.row, y, s);
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      hn::StoreU(s.at[r][v], tag, out + r * stride + v * kLanes<T>);
}

// The same through whole vectors where the panel has fewer columns.
template <class T, int R, int V, Terms kTerms>
HWY_INLINE void tileAt(const StridedView<T>& a, const Panel<T>& b, bool add, T* out, Index stride) {
  constexpr Index kColumns = V * kLanes<T>;
  if (b.cols == kColumns)
    return tile<T, R, V, kTerms>(a, b, add, out, stride);
  HWY_ALIGN T room[static_cast<std::size_t>(R * kColumns)] = {};
  for (int r = 0; add && r < R; ++r)
    std::copy_n(out + r * stride, b.cols, room + r * kColumns);
  tile<T, R, V, kTerms>(a, b, add, room, kColumns);
  for (int r = 0; r < R; ++r)
    std::copy_n(room + r * kColumns, b.cols, out + r * stride);
}

// All rows of `out` by a panel's columns.
template <class T, int V, Terms kTerms>
void strips(const StridedView<T>& a, const Panel<T>& b, bool add, const MatrixView<T>& out) {
  for (Index i = 0; i < out.rows;) {
    const StridedView<T> rows{a.data + i * a.row, a.row, a.col};
    T* const to = out.data + i * out.stride;
    const Index left = out.rows - i;
    if (left >= kRows) {
      tileAt<T, kRows, V, kTerms>(rows, b, add, to, out.stride);
      i += kRows;
    } else if (left >= 4) {
      tileAt<T, 4, V, kTerms>(rows, b, add, to, out.stride);
      i += 4;
    } else if (left >= 2) {
      tileAt<T, 2, V, kTerms>(rows, b, add, to, out.stride);
      i += 2;
    } else {
      tileAt<T, 1, V, kTerms>(rows, b, add, to, out.stride);
      ++i;
    }
  }
}

#if HWY_TARGET != HWY_SCALAR

// to(t, j) = from(j, t) for a square of as many as a vector of 128 bits holds.
HWY_INLINE void transposeSquare(const float* from, Index step, float* to) {
  const hn::FixedTag<float, 4> tag;
  const auto a = hn::LoadU(tag, from);
  const auto b = hn::LoadU(tag, from + step);
  const auto c = hn::LoadU(tag, from + 2 * step);
  const auto d = hn::LoadU(tag, from + 3 * step);
  const auto low01 = hn::InterleaveLower(tag, a, b);
  const auto low23 = hn::InterleaveLower(tag, c, d);
  const auto high01 = hn::InterleaveUpper(tag, a, b);
  const auto high23 = hn::InterleaveUpper(tag, c, d);
  hn::StoreU(hn::ConcatLowerLower(tag, low23, low01), tag, to);
  hn::StoreU(hn::ConcatUpperUpper(tag, low23, low01), tag, to + kWidth<float>);
  hn::StoreU(hn::ConcatLowerLower(tag, high23, high01), tag, to + 2 * kWidth<float>);
  hn::StoreU(hn::ConcatUpperUpper(tag, high23, high01), tag, to + 3 * kWidth<float>);
}

HWY_INLINE void transposeSquare(const double* from, Index step, double* to) {
  const hn::FixedTag<double, 2> tag;
  const auto a = hn::LoadU(tag, from);
  const auto b = hn::LoadU(tag, from + step);
  hn::StoreU(hn::InterleaveLower(tag, a, b), tag, to);
  hn::StoreU(hn::InterleaveUpper(tag, a, b), tag, to + kWidth<double>);
}

template <class T>
constexpr Index kSquare = 16 / static_cast<Index>(sizeof(T));

#else

template <class T>
HWY_INLINE void transposeSquare(const T* from, Index, T* to) {
  *to = *from;
}
template <class T>
constexpr Index kSquare = 1;

#endif

// to(t, j) = from[j · step + t] for t < inner, j < cols.
template <class T>
void packTransposed(const T* from, Index step, Index inner, Index cols, T* HWY_RESTRICT to) {
  constexpr Index n = kSquare<T>;
  const Index wholeCols = cols / n * n;
  const Index wholeInner = inner / n * n;
  for (Index j = 0; j < wholeCols; j += n)
    for (Index t = 0; t < wholeInner; t += n)
      transposeSquare(from + j * step + t, step, to + t * kWidth<T> + j);
  for (Index j = 0; j < cols; ++j)
    for (Index t = j < wholeCols ? wholeInner : 0; t < inner; ++t)
      to[t * kWidth<T> + j] = from[j * step + t];
}

// inner × kWidth values of b, gathered; zero behind its columns.
template <class T>
void pack(const StridedView<T>& b, Index inner, Index cols, T* HWY_RESTRICT to) {
  if (b.col == 1 && cols == kWidth<T>) {
    constexpr Lanes<T> tag;
    for (Index t = 0; t < inner; ++t)
      for (int v = 0; v < kVectors; ++v)
        hn::Store(hn::LoadU(tag, b.data + t * b.row + v * kLanes<T>), tag,
                  to + t * kWidth<T> + v * kLanes<T>);
    return;
  }
  if (cols < kWidth<T>)
    std::fill(to, to + inner * kWidth<T>, T{0});
  if (b.col != 1)
    return packTransposed(b.data, b.col, inner, cols, to);
  for (Index t = 0; t < inner; ++t)
    std::copy_n(b.data + t * b.row, cols, to + t * kWidth<T>);
}

template <class T, Terms kTerms>
void sums(const StridedView<T>& a, const StridedView<T>& b, Index inner, bool add,
          const MatrixView<T>& out) {
  HWY_ALIGN T packed[static_cast<std::size_t>(kInner * kWidth<T>)];
  for (Index t = 0; t < inner; t += kInner) {
    const Index count = std::min(kInner, inner - t);
    const StridedView<T> left{a.data + t * a.col, a.row, a.col};
    for (Index j = 0; j < out.cols; j += kWidth<T>) {
      const Index cols = std::min(kWidth<T>, out.cols - j);
      const StridedView<T> right{b.data + t * b.row + j * b.col, b.row, b.col};
      Panel<T> panel{right.data, right.row, count, cols};
      const bool inPlace = b.row == kWidth<T> || out.rows < kWorthPacking;
      if (b.col != 1 || cols < kWidth<T> || !inPlace) {
        pack(right, count, cols, packed);
        panel = {packed, kWidth<T>, count, cols};
      }
      const MatrixView<T> columns{out.data + j, out.rows, cols, out.stride};
      if (cols <= kLanes<T>)
        strips<T, 1, kTerms>(left, panel, add || t > 0, columns);
      else if (cols <= 2 * kLanes<T>)
        strips<T, 2, kTerms>(left, panel, add || t > 0, columns);
      else
        strips<T, kVectors, kTerms>(left, panel, add || t > 0, columns);
    }
  }
}

template <class T>
void sumsOf(TileSum sum, const StridedView<T>& a, const StridedView<T>& b, Index inner,
            const MatrixView<T>& out) {
  switch (sum) {
  case TileSum::MinusDistances:
    return sums<T, Terms::Distances>(a, b, inner, false, out);
  case TileSum::RoundedProducts:
    return sums<T, Terms::Rounded>(a, b, inner, false, out);
  case TileSum::Products:
  case TileSum::AddProducts:
    return sums<T, Terms::Fused>(a, b, inner, sum == TileSum::AddProducts, out);
  }
}

void floatSums(TileSum sum, const StridedView<float>& a, const StridedView<float>& b, Index inner,
               const MatrixView<float>& out) {
  sumsOf(sum, a, b, inner, out);
}

void doubleSums(TileSum sum, const StridedView<double>& a, const StridedView<double>& b,
                Index inner, const MatrixView<double>& out) {
  sumsOf(sum, a, b, inner, out);
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(floatSums);
HWY_EXPORT(doubleSums);

// A sum over nothing is zero.
template <class T>
bool empty(TileSum sum, Index inner, MatrixView<T> out) {
  if (inner > 0)
    return out.rows == 0 || out.cols == 0;
  if (sum != TileSum::AddProducts)
    for (Index i = 0; i < out.rows; ++i)
      std::fill_n(out.row(i).data(), out.cols, T{0});
  return true;
}

} // namespace

template <>
void tileSums(TileSum sum, const StridedView<float>& a, const StridedView<float>& b, Index inner,
              MatrixView<float> out) {
  if (!empty(sum, inner, out))
    HWY_DYNAMIC_DISPATCH(floatSums)(sum, a, b, inner, out);
}

template <>
void tileSums(TileSum sum, const StridedView<double>& a, const StridedView<double>& b, Index inner,
              MatrixView<double> out) {
  if (!empty(sum, inner, out))
    HWY_DYNAMIC_DISPATCH(doubleSums)(sum, a, b, inner, out);
}

} // namespace attention
#endif
