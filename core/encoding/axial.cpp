#include "core/encoding/axial.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace attention {
namespace {

void requireSize(const char* name, Index value) {
  if (value < 1 || value > kMaxLength)
    throwRange(name, std::to_string(value), "an integer from 1 to 2^30");
}

std::string product(const AxialShape& shape) {
  return "l1 l2 = " + std::to_string(shape.l1) + " · " + std::to_string(shape.l2) + " = " +
         std::to_string(shape.l1 * shape.l2);
}

template <class T>
void checkTable(const char* name, MatrixView<const T> table, Index rows, Index cols) {
  if (table.rows != rows || table.cols != cols)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " is " + std::to_string(table.rows) + " × " +
                    std::to_string(table.cols) + "; it must be " + std::to_string(rows) + " × " +
                    std::to_string(cols));
  for (Index r = 0; r < rows; ++r)
    for (const T x : table.row(r))
      if (!std::isfinite(x))
        throw Error(ErrorCode::NonFinite, name,
                    std::string(name) + " has a number that is not finite in row " +
                        std::to_string(r));
}

} // namespace

std::string_view name(AxialReading reading) {
  return reading == AxialReading::Docs ? "docs" : "code";
}

AxialReading axialReadingNamed(std::string_view name) {
  if (name == "docs")
    return AxialReading::Docs;
  if (name == "code")
    return AxialReading::Code;
  throwRange("reading", "\"" + std::string(name) + "\"", "docs or code");
}

void check(const AxialShape& shape) {
  requireSize("l1", shape.l1);
  requireSize("l2", shape.l2);
  requireSize("d1", shape.d1);
  requireSize("d2", shape.d2);
  const Index n = shape.length();
  if (n < 1)
    throw Error(ErrorCode::N, "n",
                "n is " + std::to_string(n) + "; it must be an integer of at least 1");
  if (!shape.truncate && shape.l1 * shape.l2 != n)
    throw Error(ErrorCode::Range, "l1",
                product(shape) + " differs from n = " + std::to_string(n) +
                    "; the product of the lengths must be n, or give truncate");
  if (shape.l1 * shape.l2 < n)
    throw Error(ErrorCode::Range, "l1",
                product(shape) + " is below n = " + std::to_string(n) +
                    "; the product of the lengths must be at least n");
  if (shape.d && *shape.d != shape.width())
    throw Error(ErrorCode::Range, "d1",
                "d1 + d2 = " + std::to_string(shape.d1) + " + " + std::to_string(shape.d2) + " = " +
                    std::to_string(shape.width()) +
                    "; it must be the model's width d = " + std::to_string(*shape.d));
}

std::pair<Index, Index> axialRows(const AxialShape& shape, Index j) {
  if (shape.reading == AxialReading::Docs)
    return {j % shape.l1, j / shape.l1};
  return {j / shape.l2, j % shape.l2};
}

Index axialPosition(const AxialShape& shape, Index row1, Index row2) {
  return shape.reading == AxialReading::Docs ? row1 + shape.l1 * row2 : row1 * shape.l2 + row2;
}

namespace {

// Those below length() of at(0) … at(count − 1).
template <class At>
std::vector<Index> positionsBelow(const AxialShape& shape, Index count, const At& at) {
  std::vector<Index> positions;
  for (Index k = 0; k < count; ++k)
    if (const Index j = at(k); j < shape.length())
      positions.push_back(j);
  return positions;
}

} // namespace

std::vector<Index> positionsOfRow1(const AxialShape& shape, Index row) {
  return positionsBelow(shape, shape.l2, [&](Index k) { return axialPosition(shape, row, k); });
}

std::vector<Index> positionsOfRow2(const AxialShape& shape, Index row) {
  return positionsBelow(shape, shape.l1, [&](Index k) { return axialPosition(shape, k, row); });
}

template <class T>
Matrix<T> axialEncoding(const AxialShape& shape, MatrixView<const T> e1, MatrixView<const T> e2) {
  check(shape);
  checkTable("E1", e1, shape.l1, shape.d1);
  checkTable("E2", e2, shape.l2, shape.d2);
  Matrix<T> encoding(shape.length(), shape.width());
  for (Index j = 0; j < encoding.rows(); ++j)
    axialRow(shape, e1, e2, j, &encoding(j, 0));
  return encoding;
}

AxialParameters axialParameters(const AxialShape& shape) {
  return {shape.l1 * shape.d1 + shape.l2 * shape.d2, shape.l1 * shape.l2 * shape.width()};
}

template <class T>
bool rowsDistinct(MatrixView<const T> table) {
  std::vector<Index> order(static_cast<std::size_t>(table.rows));
  std::iota(order.begin(), order.end(), Index{0});
  const auto less = [&](Index a, Index b) {
    const std::span<const T> x = table.row(a);
    const std::span<const T> y = table.row(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  };
  std::sort(order.begin(), order.end(), less);
  return std::adjacent_find(order.begin(), order.end(), [&](Index a, Index b) {
           return !less(a, b) && !less(b, a);
         }) == order.end();
}

template Matrix<float> axialEncoding(const AxialShape&, MatrixView<const float>,
                                     MatrixView<const float>);
template Matrix<double> axialEncoding(const AxialShape&, MatrixView<const double>,
                                      MatrixView<const double>);
template bool rowsDistinct(MatrixView<const float>);
template bool rowsDistinct(MatrixView<const double>);

} // namespace attention
