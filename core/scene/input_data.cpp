#include "core/scene/input_data.h"

#include "core/support/error.h"

#include <algorithm>

namespace attention {
namespace {

MatrixView<const double> firstRows(const Matrix<double>& m, Index n) {
  return {m.data(), n, m.cols(), m.cols()};
}

} // namespace

PatternData inputData(const Input& input, Index batch, Index head, Index n, const Run& run) {
  if (!input.hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "the input has attention weights alone, and the pattern chooses keys by Q and K");
  if (input.queries != input.keys)
    throw Error(ErrorCode::Unsupported, "input",
                "the input has " + std::to_string(input.queries) + " queries and " +
                    std::to_string(input.keys) +
                    " keys, and the pattern depends on the data; allowed is one of each a token");
  if (n > input.keys)
    throw Error(ErrorCode::Shape, "n",
                "n is " + std::to_string(n) + "; allowed are the " + std::to_string(input.keys) +
                    " tokens of the input, since the pattern depends on the data");
  const Matrix<double> q = input.q<double>(head, batch, run);
  const Matrix<double> k = input.k<double>(head, batch, run);
  return patternData<double>(firstRows(q, n), firstRows(k, n), input.sharedQk);
}

} // namespace attention
