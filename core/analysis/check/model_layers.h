// Layers of real models as masks to compare with (spec T11, T12).
#pragma once

#include "core/analysis/check/mask_check.h"
#include "core/analysis/stack/stack.h"

#include <memory>
#include <string>
#include <vector>

namespace attention {

// The mask of one layer. E_RANGE: no such layer; E_UNSUPPORTED: it has no mask, or chooses its keys
// by the data.
std::shared_ptr<const Prepared> maskOfLayer(const Stack& stack, Index layer, const Lengths& lengths,
                                            const Run& run = {});

// The models of the table that have a layer with exactly this pattern.
struct ModelWithLayer {
  std::string title;
  Index count = 0; // of its layers
  Index layers = 0;
};
std::vector<ModelWithLayer> modelsWith(const Match& match);

} // namespace attention
