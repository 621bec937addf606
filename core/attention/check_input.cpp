#include "core/attention/check_input.h"

#include "core/attention/attend.h"
#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attention {
namespace {

constexpr Index kPieceValues = 98304; // of Q, K and V together
// Values that one thread has looked at before another has begun.
constexpr Index kSmall = 262144;

std::string shapeOf(Index rows, Index cols) {
  return std::to_string(rows) + " × " + std::to_string(cols);
}

template <class T>
void requireRows(const char* name, MatrixView<const T> m, Index rows, const char* of) {
  if (m.rows != rows)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " is " + shapeOf(m.rows, m.cols) + "; allowed are " +
                    std::to_string(rows) + " rows, one a " + of);
}

template <class T>
bool rowsFinite(MatrixView<const T> m, Index begin, Index end) {
  if (m.stride == m.cols)
    return allFinite<T>(
        {m.data + begin * m.stride, static_cast<std::size_t>((end - begin) * m.cols)});
  for (Index i = begin; i < end; ++i)
    if (!allFinite<T>(m.row(i)))
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
    throw Error(ErrorCode::Shape, "Q", "Q has no columns; allowed is at least 1");
  if (k.cols != q.cols)
    throw Error(ErrorCode::Shape, "K",
                "K has " + std::to_string(k.cols) + " columns; allowed are the " +
                    std::to_string(q.cols) + " of Q");
}

template <class T>
FiniteInput<T>::FiniteInput(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v)
    : matrices_{{{"Q", q}, {"K", k}, {"V", v}}} {}

template <class T>
void FiniteInput<T>::require(Index piece, Index pieces) const {
  for (const auto& [name, m] : matrices_) {
    const Index rows = ceilDiv(m.rows, pieces);
    const Index begin = std::min(piece * rows, m.rows);
    if (!rowsFinite(m, begin, std::min(begin + rows, m.rows)))
      refuse();
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
                          "; allowed are finite numbers");
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

double scaleOf(const AttendOptions& options, Index d) {
  const double scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(d)));
  if (!std::isfinite(scale))
    throw Error(ErrorCode::NonFinite, "scale",
                "scale is " + std::string(std::isnan(scale) ? "a NaN" : "infinite") +
                    "; allowed is a finite number");
  return scale;
}

} // namespace attention
