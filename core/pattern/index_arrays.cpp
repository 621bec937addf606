#include "core/pattern/index_arrays.h"

#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

std::string shapeOf(const MatrixSource& array) {
  std::string text;
  for (const Index length : array.shape)
    text += (text.empty() ? "" : " × ") + std::to_string(length);
  return text;
}

void requireFinite(const std::string& name, const MatrixSource& array) {
  if (!std::all_of(array.values.begin(), array.values.end(),
                   [](double x) { return std::isfinite(x); }))
    throw Error(ErrorCode::NonFinite, name,
                name + " has a NaN or an infinity; every number must be finite");
}

Matrix<double> firstColumns(const Matrix<double>& m, Index columns) {
  Matrix<double> cut(m.rows(), columns);
  for (Index i = 0; i < m.rows(); ++i)
    std::copy_n(&m(i, 0), columns, &cut(i, 0));
  return cut;
}

// Rows × heads × columns, or rows × columns for one head.
std::vector<Matrix<double>> headsOf(const MatrixSource& array, const std::string& name, Index rows,
                                    Index columns) {
  const bool heads = array.shape.size() == 3;
  if ((!heads && array.shape.size() != 2) || array.shape[0] != rows ||
      array.shape[array.shape.size() - 1] != columns)
    throw Error(ErrorCode::Shape, name,
                name + " is " + shapeOf(array) + "; it must be " + std::to_string(rows) +
                    " × heads × " + std::to_string(columns) + ", as many columns as index_k");
  requireFinite(name, array);
  const Index count = heads ? array.shape[1] : 1;
  std::vector<Matrix<double>> of(static_cast<std::size_t>(count), Matrix<double>(rows, columns));
  std::size_t at = 0;
  for (Index i = 0; i < rows; ++i)
    for (Matrix<double>& head : of)
      for (Index c = 0; c < columns; ++c)
        head(i, c) = array.values[at++];
  return of;
}

IndexArrays standIn(const std::optional<Index>& dim, const PatternData& data) {
  const Index d = data.q->cols();
  const Index width = dim.value_or(d);
  if (width < 1 || width > d)
    throwRange("index_dim", std::to_string(width),
               "an integer from 1 to " + std::to_string(d) + ", the columns of Q");
  return {{firstColumns(*data.q, width)},
          firstColumns(*data.k, width),
          Matrix<double>(data.q->rows(), 1,
                         std::vector<double>(static_cast<std::size_t>(data.q->rows()), 1.0)),
          true};
}

} // namespace

bool hasArray(const PatternData& data, const std::string& name) {
  return data.arrays.contains(name);
}

Matrix<double> arrayOf(const PatternData& data, const std::string& name, Index rows,
                       Index columns) {
  const MatrixSource& array = data.arrays.at(name);
  if (array.shape.size() != 2 || array.shape[0] != rows ||
      (columns != 0 && array.shape[1] != columns))
    throw Error(ErrorCode::Shape, name,
                name + " is " + shapeOf(array) + "; it must have " + countText(rows, "row") +
                    (columns != 0 ? " and " + countText(columns, "column") : ""));
  requireFinite(name, array);
  return {rows, array.shape[1], array.values.get()};
}

IndexArrays indexArrays(const std::string& mechanism, const std::optional<Index>& dim,
                        const Lengths& lengths, const PatternData& data, bool weighted) {
  const bool q = hasArray(data, "index_q");
  const bool k = hasArray(data, "index_k");
  const bool w = weighted && hasArray(data, "index_w");
  if (!q && !k && !w)
    return standIn(dim, data);
  for (const auto& [name, given] : {std::pair("index_q", q), std::pair("index_k", k)})
    if (!given)
      throw Error(ErrorCode::Type, name,
                  std::string(name) + " is missing; " + mechanism +
                      " needs both index_q and index_k, or neither");
  if (dim)
    throwRange("index_dim", std::to_string(*dim),
               "left out where the input has index_q and index_k");
  IndexArrays arrays;
  arrays.k = arrayOf(data, "index_k", lengths.keys);
  arrays.q = headsOf(data.arrays.at("index_q"), "index_q", lengths.queries, arrays.k.cols());
  const Index heads = arrays.heads();
  if (!weighted && heads != 1)
    throw Error(ErrorCode::Shape, "index_q",
                "index_q has " + countText(heads, "head") + "; for " + mechanism +
                    " it must have one");
  arrays.weights = w ? arrayOf(data, "index_w", lengths.queries, heads)
                     : Matrix<double>(lengths.queries, heads,
                                      std::vector<double>(
                                          static_cast<std::size_t>(lengths.queries * heads), 1.0));
  return arrays;
}

} // namespace attention
