// The array "mask" of a file of Q, K and V: each layer's own mask [layers, n_q, n_k],
// [layers, 1, n_q, n_k], or one of all layers [n_q, n_k], with axes of 1 before.
#pragma once

#include "core/input/array_file.h"
#include "core/input/input.h"

namespace attention {

class LayerMasks {
public:
  // Nothing where the file has no such array. E_SHAPE: it does not fit the input.
  static std::optional<LayerMasks> of(const Input& input, const ArrayFile& file);

  // The mask of a layer; that of all layers is read once. All masks of the array together say
  // whether they are additive. The first one that forbids everything is noted in `input`.
  Pattern layer(Input& input, Index at, const Run& run);

  std::string label() const { return masks_.label(); }

private:
  explicit LayerMasks(Tensor masks) : masks_(std::move(masks)) {}

  Tensor masks_;
  std::optional<Pattern> common_;
  bool noted_ = false;
};

} // namespace attention
