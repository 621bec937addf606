#include "core/scene/input_data.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

MatrixView<const double> firstRows(const Matrix<double>& m, Index n) {
  return {m.data(), n, m.cols(), m.cols()};
}

} // namespace

PatternData inputData(const Input& input, Index batch, Index head, Index n, const Run& run) {
  if (!input.hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "input has attention weights without queries and keys; the pattern chooses keys by "
                "both, so it must have them");
  if (input.queries != input.keys)
    throw Error(
        ErrorCode::Unsupported, "input",
        "the input has " + std::to_string(input.queries) + " queries and " +
            std::to_string(input.keys) +
            " keys, and the pattern depends on the data; it must have one of each per token");
  if (n > input.keys)
    throw Error(ErrorCode::Shape, "n",
                "n is " + std::to_string(n) + "; it must be at most " + std::to_string(input.keys) +
                    ", the length of the input, since the pattern depends on the data");
  const Matrix<double> q = input.q<double>(head, batch, run);
  const Matrix<double> k = input.k<double>(head, batch, run);
  return patternData<double>(firstRows(q, n), firstRows(k, n), input.sharedQk);
}

AttendOptions attendOptions(const Input& input, int threads) {
  return {input.scale, threads, input.softcap};
}

void requireUncapped(const Input& input) {
  if (input.softcap)
    throw Error(ErrorCode::Unsupported, "softcap",
                "the input has a soft cap of " + shortest(*input.softcap) +
                    "; kernels and random features approximate exp(q·k), without a soft cap");
}

ScaleFactors scaleFactors(const Input& input) {
  if (!input.scale)
    return {};
  const double ofBoth = *input.scale * std::sqrt(static_cast<double>(input.d));
  const double each = std::sqrt(std::abs(ofBoth));
  return {std::copysign(each, ofBoth), each};
}

void requireValues(const Input& input, const std::string& what) {
  if (input.hasQkv() && !input.hasValues())
    throw Error(ErrorCode::Unsupported, "input",
                "the input has Q and K, but no V, and " + what +
                    " compares outputs; open V too, or use another view; those work without V");
}

Lengths currentLengths(const LengthSpec& spec, const Input* input) {
  if (!input)
    return lengthsOf(spec, 0);
  LengthSpec given = spec;
  if (input->queries != input->keys && !spec.n && !spec.queries)
    given.queries = input->queries;
  return lengthsOf(given, input->keys);
}

Index firstQueryToken(const Input& input, Align align) {
  return align == Align::TopLeft ? 0 : input.keys - input.queries;
}

Index firstQueryRow(const Input& input, const Lengths& lengths, Align align) {
  return lengths.offset - firstQueryToken(input, align);
}

bool covers(const Input& input, const Lengths& lengths, Align align) {
  const Index first = firstQueryRow(input, lengths, align);
  return lengths.keys <= input.keys && first >= 0 && lengths.queries <= input.queries - first;
}

Matrix<float> cutOut(Matrix<float> matrix, Index firstRow, Index rows, Index cols) {
  if (firstRow == 0 && rows == matrix.rows() && cols == matrix.cols())
    return matrix;
  Matrix<float> cut(rows, cols);
  for (Index i = 0; i < rows; ++i)
    std::copy_n(matrix.data() + (firstRow + i) * matrix.cols(), cols, cut.data() + i * cols);
  return cut;
}

} // namespace attention
