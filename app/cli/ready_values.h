// The values that stand beside ready attention weights: --attention W.npy --v V.npy.
#pragma once

#include "app/cli/arguments.h"
#include "core/input/input.h"

#include <optional>

namespace attention::cli {

class ReadyValues {
public:
  // E_SHAPE where they have other lengths, leading axes or heads than the weights; a head of values
  // may belong to several of weights.
  ReadyValues(Tensor values, const Input& input);

  Index width() const { return values_.fromEnd(0); } // d_v
  Matrix<double> of(Index batch, Index head) const;  // n_k × d_v

private:
  Tensor values_;
  Index shared_ = 1; // heads of weights to one of values
};

// Nothing where --v is absent or the input has queries and keys.
std::optional<ReadyValues> readyValuesFrom(const Arguments& arguments, const Input& input,
                                           const Run& run);

} // namespace attention::cli
