// The kind of attention of every layer of a model, as its config.json says (spec T11, after the
// configuration classes of transformers 5.24.0). Kinds have the names that transformers gives
// them: full_attention, sliding_attention, chunked_attention, linear_attention, indexed_attention.
#pragma once

#include "core/analysis/stack/config_fields.h"

#include <string>
#include <vector>

namespace attention {

using LayerKinds = std::vector<std::string>;

constexpr Index kMostLayers = 1 << 16;

// A list of the layers, where the configuration has one, wins over the rule of its model_type; an
// unknown model slides everywhere if it has a sliding_window, else nowhere. E_TYPE: no number of
// layers, or a field of the wrong type; E_SHAPE: a list that is not one entry per layer; E_RANGE.
LayerKinds layerKinds(const ConfigFields& config);

// Whether the configuration lists its layers or its model_type has a rule; else it is read as an
// unknown model.
bool hasRule(const ConfigFields& config);

// Whether layers turn queries and keys by their positions (Llama 4, SmolLM3): as no_rope_layers
// lists, where 1 is yes; else all but every no_rope_layer_interval-th, by default every fourth.
// E_TYPE, E_SHAPE: a list of fewer than `layers`.
std::vector<bool> ropeLayers(const ConfigFields& config, Index layers);

} // namespace attention
