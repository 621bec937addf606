// Queries, keys and values of a model on a text as a .safetensors file, as tools/export_qkv.py
// writes them: q [layers, heads, n, d], k and v [layers, kvHeads, n, d], after norms and rotation.
// Metadata, each a JSON text: scale, modifiers, patterns, tokens, ids, model, layers.
#pragma once

#include "core/input/tensor.h"
#include "core/model/forward.h"

#include <filesystem>
#include <string>

namespace attention {

struct CaptureOptions {
  std::vector<Index> layers;       // none: all
  std::vector<std::string> pieces; // the tokenizer's, one for each id; none where not known
  DType dtype = DType::Float32;    // or Float16
};

// What a file says of all its layers at once: how a layer changes scores, which must be the same in
// all of them apart from the scale. E_UNSUPPORTED where it is not.
ScoreModifiers sharedModifiers(const Model& model, const std::vector<Index>& layers);
// One scale is stated, that of the first of the layers: by what another layer's queries are
// multiplied instead.
double queryFactor(const Model& model, Index layer, Index first);

// Layers are written as they are computed, up to the last one that is asked for; only a complete
// file replaces `path`. E_UNSUPPORTED: layers whose scores differ in more than their scale;
// E_RANGE: numbers beyond float16, or a layer twice; E_IO; what forward() throws.
void captureTo(const std::filesystem::path& path, const std::shared_ptr<const Model>& model,
               std::span<const Index> ids, const CaptureOptions& options = {}, const Run& run = {});

} // namespace attention
