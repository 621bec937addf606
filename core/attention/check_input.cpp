#include "core/attention/check_input.h"

#include "core/attention/attend.h"
#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attention {
namespace {

constexpr Index kPieceValues = 98304; // of Q, K and V together
// Values that one thread checks before another is worth starting.
constexpr Index kSmall = 262144;
// Room for the parts of a pattern, and for rounding.
constexpr int kSumsRound = 1024;

std::string shapeOf(Index rows, Index cols) {
  return std::to_string(rows) + " × " + std::to_string(cols);
}

template <class T>
void requireRows(const char* name, MatrixView<const T> m, Index rows, const char* of) {
  if (m.rows != rows)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " is " + shapeOf(m.rows, m.cols) + "; it must have " +
                    countText(rows, "row") + ", one per " + of);
}

template <class T>
bool rowsBelow(MatrixView<const T> m, Index begin, Index end, T bound) {
  if (m.stride == m.cols)
    return allBelow<T>(
        {m.data + begin * m.stride, static_cast<std::size_t>((end - begin) * m.cols)}, bound);
  for (Index i = begin; i < end; ++i)
    if (!allBelow<T>(m.row(i), bound))
      return false;
  return true;
}

} // namespace

template <class T>
void checkShapes(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
                 MatrixView<const T> v) {
  requireRows("Q", q, lengths.queries, "query");
  requireRows("K", k, lengths.keys, "key");
  requireRows("V", v, lengths.keys, "key");
  if (q.cols < 1)
    throw Error(ErrorCode::Shape, "Q", "Q has no columns; it must have at least 1");
  if (k.cols != q.cols)
    throw Error(ErrorCode::Shape, "K",
                "K has " + countText(k.cols, "column") + "; it must have the " +
                    std::to_string(q.cols) + " of Q");
}

template <class T>
FiniteInput<T>::FiniteInput(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v)
    : matrices_{{{"Q", q}, {"K", k}, {"V", v}}},
      bound_(std::numeric_limits<T>::max() /
             (kSumsRound * static_cast<T>(std::max<Index>(k.rows, 1)))) {}

template <class T>
void FiniteInput<T>::require(Index piece, Index pieces) const {
  for (const auto& [name, m] : matrices_) {
    const Index rows = ceilDiv(m.rows, pieces);
    const Index begin = std::min(piece * rows, m.rows);
    const Index end = std::min(begin + rows, m.rows);
    if (rowsBelow(m, begin, end, bound_))
      continue;
    if (!rowsBelow(m, begin, end, std::numeric_limits<T>::infinity()))
      refuse();
    large_.store(true, std::memory_order_relaxed);
  }
}

template <class T>
void FiniteInput<T>::requireAll(int threads) const {
  Index values = 0;
  for (const Named& matrix : matrices_)
    values += matrix.m.rows * matrix.m.cols;
  const Index pieces = ceilDiv(values, kPieceValues);
  parallelFor(pieces, values < kSmall ? 1 : threads, {},
              [&](Index piece) { require(piece, pieces); });
}

template <class T>
void FiniteInput<T>::refuse() const {
  for (const auto& [name, m] : matrices_)
    for (Index i = 0; i < m.rows; ++i)
      for (Index c = 0; c < m.cols; ++c)
        if (!std::isfinite(m(i, c)))
          throw Error(ErrorCode::NonFinite, name,
                      std::string(name) + " has " +
                          (std::isnan(m(i, c)) ? "a NaN" : "an infinity") + " at row " +
                          std::to_string(i) + ", column " + std::to_string(c) +
                          "; every number must be finite");
}

template class FiniteInput<float>;
template class FiniteInput<double>;

template <class T>
void checkInput(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
                MatrixView<const T> v) {
  checkShapes(lengths, q, k, v);
  FiniteInput<T>(q, k, v).requireAll(1);
}

template void checkShapes(const Lengths&, MatrixView<const float>, MatrixView<const float>,
                          MatrixView<const float>);
template void checkInput(const Lengths&, MatrixView<const float>, MatrixView<const float>,
                         MatrixView<const float>);
template void checkInput(const Lengths&, MatrixView<const double>, MatrixView<const double>,
                         MatrixView<const double>);

} // namespace attention
