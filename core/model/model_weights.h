// The weights of a model, found by the names of its family in the files that hold them.
#pragma once

#include "core/model/families.h"
#include "core/model/stored_weights.h"

namespace attention {

// How a file stores them.
struct WeightLayout {
  TensorNames names;
  std::string prefix;        // before every name but that of the logits
  bool tied = false;         // the logits' matrix is the embedding
  bool transposed = false;   // matrices are [inputs, outputs]
  bool threePerHead = false; // rows of a fused matrix: query, key, value of each head in turn
  bool normsPlusOne = false; // norms are to be 1 + w
};

// Fills in all tensors of `model`, whose sizes are set, all but those of vocabulary and
// feed-forward layers, which the tensors say. E_UNKNOWN, E_SHAPE, E_NONFINITE name the tensor.
// O(tensors).
void addWeights(Model& model, const StoredWeights& stored, const WeightLayout& layout);

} // namespace attention
