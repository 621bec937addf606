#include "core/pattern/pattern_data.h"

#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

template <class T>
std::shared_ptr<const Matrix<double>> doubles(MatrixView<const T> m) {
  Matrix<double> copy(m.rows, m.cols);
  for (Index i = 0; i < m.rows; ++i)
    for (Index c = 0; c < m.cols; ++c)
      copy(i, c) = static_cast<double>(m(i, c));
  return std::make_shared<const Matrix<double>>(std::move(copy));
}

void requireRows(const std::string& name, const Matrix<double>& m, Index n) {
  if (m.rows() != n || m.cols() < 1)
    throw Error(ErrorCode::Shape, name,
                name + " is " + std::to_string(m.rows()) + " × " + std::to_string(m.cols()) +
                    "; it must have " + countText(n, "row") + " and at least one column");
  const auto finite = [](double x) { return std::abs(x) <= std::numeric_limits<double>::max(); };
  bool all = true; // without branches, for vectors
  for (const double x : m.values())
    all &= finite(x);
  if (all)
    return;
  const double x = *std::find_if_not(m.values().begin(), m.values().end(), finite);
  throw Error(ErrorCode::NonFinite, name,
              name + " has " + (std::isnan(x) ? "a NaN" : "an infinity") +
                  "; every number must be finite");
}

} // namespace

template <class T>
PatternData patternData(MatrixView<const T> q, MatrixView<const T> k, bool shared) {
  PatternData data;
  data.q = doubles(q);
  if (!shared)
    data.k = doubles(k);
  if (shared || *data.q == *data.k)
    data.k = data.q;
  return data;
}

template PatternData patternData(MatrixView<const float>, MatrixView<const float>, bool);
template PatternData patternData(MatrixView<const double>, MatrixView<const double>, bool);

void requireData(const std::string& mechanism, const Lengths& lengths, const PatternData& data) {
  if (!lengths.square())
    throw Error(ErrorCode::Unsupported, mechanism,
                mechanism + " chooses keys from the data of every token; the mask must be square");
  requireAnyData(mechanism, lengths, data);
}

void requireSquareLengths(const std::string& mechanism, const Lengths& lengths) {
  if (lengths.queries != lengths.keys)
    throw Error(ErrorCode::Shape, "n_q",
                "n_q is " + std::to_string(lengths.queries) + " and n_k is " +
                    std::to_string(lengths.keys) + "; for " + mechanism + " they must be equal");
}

void requireSquareData(const std::string& mechanism, const Lengths& lengths,
                       const PatternData& data) {
  requireSquareLengths(mechanism, lengths);
  requireAnyData(mechanism, lengths, data);
}

void requireAnyData(const std::string& mechanism, const Lengths& lengths, const PatternData& data) {
  if (!data)
    throw Error(ErrorCode::Type, "input",
                "the input is missing, and " + mechanism +
                    " chooses keys by Q and K; give an input with queries and keys");
  requireRows("Q", *data.q, lengths.queries);
  if (data.k != data.q)
    requireRows("K", *data.k, lengths.keys);
  if (data.k->cols() != data.q->cols())
    throw Error(ErrorCode::Shape, "K",
                "K has " + countText(data.k->cols(), "column") + "; it must have the " +
                    std::to_string(data.q->cols()) + " of Q");
  if (data.scale && !std::isfinite(*data.scale))
    throw Error(ErrorCode::NonFinite, "scale", "scale is not finite; it must be a finite number");
}

double scaleOf(const PatternData& data) {
  return data.scale.value_or(1 / std::sqrt(static_cast<double>(data.q->cols())));
}

} // namespace attention
