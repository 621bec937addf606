// A model as a transformers config.json describes it, without its weights. What the file leaves
// out is as transformers 5.24.0 takes it.
#pragma once

#include "core/model/families.h"

#include <nlohmann/json_fwd.hpp>

namespace attention {

constexpr Index kMostModelLayers = 1024;
constexpr Index kMostModelWidth = Index{1} << 24; // of a state, a head, and the most heads

struct ConfigModel {
  Model model; // all but weights, vocabulary and feed-forward width
  const Family* family = nullptr;
  bool tied = false; // the logits' matrix is the embedding
};

// Masks of the layers are those of stackFromConfig (core/analysis/stack). E_UNSUPPORTED: a family,
// an activation, a scaling of rotary positions or quantised weights that cannot be read; E_TYPE,
// E_RANGE, E_SHAPE name the field.
ConfigModel modelOfConfig(const nlohmann::json& config);

} // namespace attention
