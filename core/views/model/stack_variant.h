// The masks of a known model's layers, given to another model.
#pragma once

#include "core/analysis/stack/models.h"
#include "core/scene/model_spec.h"

#include <vector>

namespace attention {

// The decoders of the table whose layers all have a mask.
std::vector<const ModelRow*> modelsToImitate();

// Layer ℓ gets the mask of layer ℓ of `of`, which begins again where it has fewer layers; layers
// with full attention keep the model's own. The windows are those of `of`, however long the text.
ModelVariantSpec variantAsIn(const ModelRow& of, Index layers);

} // namespace attention
