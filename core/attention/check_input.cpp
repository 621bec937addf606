#include "core/attention/check_input.h"

#include "core/attention/attend.h"
#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <string>

namespace attention {
namespace {

constexpr Index kChunkValues = 32768;
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
struct Named {
  const char* name;
  MatrixView<const T> m;

  Index chunkRows() const { return std::max<Index>(1, kChunkValues / std::max<Index>(m.cols, 1)); }
  Index chunks() const { return ceilDiv(m.rows, chunkRows()); }
  bool finite(Index chunk) const {
    const Index begin = chunk * chunkRows();
    const Index end = std::min(begin + chunkRows(), m.rows);
    if (m.stride == m.cols)
      return allFinite<T>(
          {m.data + begin * m.stride, static_cast<std::size_t>((end - begin) * m.cols)});
    for (Index i = begin; i < end; ++i)
      if (!allFinite<T>(m.row(i)))
        return false;
    return true;
  }
};

template <class T>
[[noreturn]] void refuse(const Named<T>& matrix) {
  const auto& [name, m] = matrix;
  Index i = 0;
  while (allFinite<T>(m.row(i)))
    ++i;
  Index c = 0;
  while (std::isfinite(m(i, c)))
    ++c;
  throw Error(ErrorCode::NonFinite, name,
              std::string(name) + " has " + (std::isnan(m(i, c)) ? "a NaN" : "an infinity") +
                  " at row " + std::to_string(i) + ", column " + std::to_string(c) +
                  "; allowed are finite numbers");
}

template <class T>
void requireFinite(const std::array<Named<T>, 3>& matrices, int threads) {
  std::array<Index, 4> begins{};
  Index values = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    begins[k + 1] = begins[k] + matrices[k].chunks();
    values += matrices[k].m.rows * matrices[k].m.cols;
  }
  std::array<std::atomic<bool>, 3> broken{};
  parallelFor(begins[3], values < kSmall ? 1 : threads, {}, [&](Index chunk) {
    const std::size_t k = chunk < begins[1] ? 0 : (chunk < begins[2] ? 1 : 2);
    if (!matrices[k].finite(chunk - begins[k]))
      broken[k] = true;
  });
  for (std::size_t k = 0; k < 3; ++k)
    if (broken[k])
      refuse(matrices[k]);
}

} // namespace

template <class T>
void checkInput(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
                MatrixView<const T> v, int threads) {
  requireRows("Q", q, lengths.queries, "query");
  requireRows("K", k, lengths.keys, "key");
  requireRows("V", v, lengths.keys, "key");
  if (q.cols < 1)
    throw Error(ErrorCode::Shape, "Q", "Q has no columns; allowed is at least 1");
  if (k.cols != q.cols)
    throw Error(ErrorCode::Shape, "K",
                "K has " + std::to_string(k.cols) + " columns; allowed are the " +
                    std::to_string(q.cols) + " of Q");
  requireFinite<T>({{{"Q", q}, {"K", k}, {"V", v}}}, threads);
}

template <class T>
void checkInput(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
                MatrixView<const T> v) {
  checkInput(lengths, q, k, v, 1);
}

template void checkInput(const Lengths&, MatrixView<const float>, MatrixView<const float>,
                         MatrixView<const float>);
template void checkInput(const Lengths&, MatrixView<const float>, MatrixView<const float>,
                         MatrixView<const float>, int);
template void checkInput(const Lengths&, MatrixView<const double>, MatrixView<const double>,
                         MatrixView<const double>);
template void checkInput(const Lengths&, MatrixView<const double>, MatrixView<const double>,
                         MatrixView<const double>, int);

double scaleOf(const AttendOptions& options, Index d) {
  const double scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(d)));
  if (!std::isfinite(scale))
    throw Error(ErrorCode::NonFinite, "scale",
                "scale is " + std::string(std::isnan(scale) ? "a NaN" : "infinite") +
                    "; allowed is a finite number");
  return scale;
}

} // namespace attention
