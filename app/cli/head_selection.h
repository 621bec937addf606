// Which model heads and items of the leading axis a command goes over, and what axes its outputs
// have before [n, d]: those of the input, less the ones that --head-index and --batch choose from.
#pragma once

#include "app/cli/arguments.h"
#include "core/input/input.h"
#include "core/scene/input_data.h"

#include <vector>

namespace attention::cli {

struct HeadSelection {
  bool oneHead = false; // --head-index is given
  Index firstBatch = 0;
  Index batches = 1;
  Index firstHead = 0;
  Index heads = 1;
  std::vector<Index> leading; // axes of the outputs before [n, d]

  // The number of selected matrices, batch by batch.
  Index planes() const { return batches * heads; }
  Index batch(Index plane) const { return firstBatch + plane / heads; }
  Index head(Index plane) const { return firstHead + plane % heads; }
};

HeadSelection selectionFrom(const Arguments& arguments, const Input& input);

// The arguments with the masks of the only selected layer and head, for commands that take one mask
// for all. E_UNSUPPORTED where a file has several masks and several heads are selected.
Arguments withOneMask(const Arguments& arguments, const Input& input,
                      const HeadSelection& selection, const Run& run);

// The heads' outputs `out`, [.., H, n, dv], in the layout of the input: [.., n, H, dv] for files
// with tokens first; for embeddings side by side, [n, H dv], times W_O where it is given (S3.5).
// `shape` changes with them. Other outputs, and those of one chosen head, stay.
template <class T>
void joinHeads(const Input& input, const HeadSelection& heads, std::vector<T>& out,
               std::vector<Index>& shape, const Run& run);

// E_TYPE where the input has queries and keys but no values; it says how to give them.
void requireValuesForOutputs(const Input& input);

// Q, K and V of one head, V with no columns where there are no values.
template <class T>
struct HeadMatrices {
  Matrix<T> q, k, v;
  MatrixView<const T> qView() const { return q.view(); }
  MatrixView<const T> kView() const { return k.view(); }
  MatrixView<const T> vView() const { return v.view(); }
};

// E_UNSUPPORTED where the input has only ready weights.
template <class T>
HeadMatrices<T> matricesOf(const Input& input, Index head, Index batch, const Run& run) {
  if (!input.hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "input has attention weights without queries and keys; it must have both");
  return {input.q<T>(head, batch, run), input.k<T>(head, batch, run),
          valuesIfAny<T>(input, batch, head, run)};
}

// The input's own scale, into the q and k of `in`, as kernels and random features read them.
template <class Heads>
void takeScale(Heads& in, const Input& input) {
  const auto multiply = []<class T>(Matrix<T>& m, double factor) {
    for (Index at = 0; factor != 1 && at < m.rows() * m.cols(); ++at)
      m.data()[at] = static_cast<T>(static_cast<double>(m.data()[at]) * factor);
  };
  const ScaleFactors factors = scaleFactors(input);
  multiply(in.q, factors.query);
  multiply(in.k, factors.key);
}

} // namespace attention::cli
