#include "core/attention/attend.h"

#include "core/attention/vector_rows.h"
#include "core/support/error.h"

#include <cmath>
#include <string>

namespace attention {
namespace {

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
void requireFinite(const char* name, MatrixView<const T> m) {
  if (m.stride == m.cols && allFinite<T>({m.data, static_cast<std::size_t>(m.rows * m.cols)}))
    return;
  for (Index i = 0; i < m.rows; ++i) {
    if (allFinite<T>(m.row(i)))
      continue;
    for (Index c = 0; c < m.cols; ++c)
      if (!std::isfinite(m(i, c)))
        throw Error(ErrorCode::NonFinite, name,
                    std::string(name) + " has " + (std::isnan(m(i, c)) ? "a NaN" : "an infinity") +
                        " at row " + std::to_string(i) + ", column " + std::to_string(c) +
                        "; allowed are finite numbers");
  }
}

} // namespace

template <class T>
void checkInput(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
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
  requireFinite("Q", q);
  requireFinite("K", k);
  requireFinite("V", v);
}

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
