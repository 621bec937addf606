// The parts that openModel (model.h) makes a model of: what its files say of it, without weights,
// and the weights.
#pragma once

#include "core/model/families.h"
#include "core/model/gguf.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace attention {

constexpr Index kMostModelLayers = 1024;
constexpr Index kMostModelWidth = Index{1} << 24; // of a state, a head, and the most heads

// Which matrices have biases; others that a file holds are not read.
struct LayerBiases {
  bool heads = true; // of query, key and value
  bool output = true;
  bool feedForward = true;
};

struct ConfigModel {
  Model model; // all but weights, vocabulary and feed-forward width
  const Family* family = nullptr;
  bool tied = false; // the logits' matrix is the embedding, where the file has no other
  LayerBiases biases;
  std::optional<Index> vocabulary; // that the embedding must have
  // The width of feed-forward layers that the tensors must have, and the field that says it.
  std::optional<Index> feedForward = {};
  std::string feedForwardField = {};
};

// As a transformers config.json describes it; what the file leaves out is as transformers 5.24.0
// takes it. Masks of the layers are those of stackFromConfig (core/analysis/stack). E_UNSUPPORTED:
// a family, an activation, a scaling of rotary positions or quantised weights that cannot be read;
// E_TYPE, E_RANGE, E_SHAPE name the field.
ConfigModel modelOfConfig(const nlohmann::json& config);

// As the metadata of a GGUF file describe it. The keys are those of
// https://github.com/ggml-org/ggml, docs/gguf.md; what a file does not say is as llama.cpp takes
// it. E_UNSUPPORTED: a family or a scaling of rotary positions that cannot be read, layers of
// different widths; E_TYPE, E_RANGE name the key.
ConfigModel modelOfGguf(const GgufFile& gguf);

// How a file stores the weights of a family, under its names.
struct WeightLayout {
  TensorNames names;
  std::string prefix; // before every name but that of the logits
  bool tied = false;  // without a matrix of its own, the logits' is the embedding
  LayerBiases biases;
  bool transposed = false;   // matrices are [inputs, outputs]
  bool threePerHead = false; // rows of a fused matrix: query, key, value of each head in turn
  bool normsPlusOne = false; // norms are to be 1 + w
};

// Fills in all tensors of `model`, whose sizes are set, all but those of vocabulary and
// feed-forward layers, which the tensors say. E_UNKNOWN, E_SHAPE, E_NONFINITE name the tensor.
// O(tensors).
void addWeights(Model& model, const StoredWeights& stored, const WeightLayout& layout);

// ---- a model of what was read: pure functions, so that they can be fuzzed ----

// Errors as openModel; the weights point into what gguf's tensors point to.
Model modelWithWeights(const GgufFile& gguf);

// Of a config.json, which errors call `configFile`, and the tensors of transformers.
Model modelWithWeights(const nlohmann::json& config, const std::string& configFile,
                       const StoredWeights& stored);

} // namespace attention
