// The parts of openModel (model.h) that touch no file: a model of what was read. Pure functions,
// so that they can be fuzzed.
#pragma once

#include "core/model/gguf.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"

#include <nlohmann/json_fwd.hpp>

namespace attention {

// Errors as openModel; the weights point into what gguf's tensors point to.
Model modelWithWeights(const GgufFile& gguf);

// Of a config.json, which errors call `configFile`, and the tensors of transformers.
Model modelWithWeights(const nlohmann::json& config, const std::string& configFile,
                       const StoredWeights& stored);

} // namespace attention
