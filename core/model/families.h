// The families of models that can be read: one description each. A family of the same parts is one
// more entry of the table in families.cpp. What a config.json may leave out is taken from
// `defaults`, the values of its class in transformers 5.24.0
// (src/transformers/models/NAME/configuration_NAME.py).
#pragma once

#include "core/model/model.h"

#include <span>
#include <string_view>

namespace attention {

// Names of tensors, without ".weight" and ".bias"; empty where a family has no such part. Of a
// layer they follow `layer`, in which {} is its number.
struct TensorNames {
  std::string_view embedding;
  std::string_view positions;
  std::string_view tokenTypes;
  std::string_view embeddingNorm;
  std::string_view finalNorm;
  std::string_view logits; // names that files have for it, separated by spaces
  std::string_view layer;
  std::string_view queryKeyValue; // all three in one matrix; where it is not there, these:
  std::string_view query;
  std::string_view key;
  std::string_view value;
  std::string_view output;
  std::string_view queryNorm;
  std::string_view keyNorm;
  std::string_view attentionBefore; // norms (BlockNorms)
  std::string_view attentionAfter;
  std::string_view feedForwardBefore;
  std::string_view feedForwardAfter;
  std::string_view gateUp; // both in one matrix, the gate first; where it is not there, these:
  std::string_view gate;
  std::string_view up;
  std::string_view down;
};

// Which matrices of a family have a bias, whatever its files hold: none, all, or as a field of
// config.json says, attention_bias or mlp_bias.
enum class BiasRule { Never, Always, Configured };
struct FamilyBiases {
  BiasRule heads = BiasRule::Configured; // of query, key and value
  BiasRule output = BiasRule::Configured;
  BiasRule feedForward = BiasRule::Never;
};

struct Family {
  std::string_view name;         // model_type of config.json
  std::string_view also = {};    // other values of it, separated by spaces
  std::string_view architecture; // general.architecture of GGUF
  std::string_view defaults;     // of config.json, as JSON
  TensorNames names;             // in files of transformers
  FamilyBiases biases = {};      // there; a GGUF has those that it stores
  NormKind norm = NormKind::Rms;
  bool encoder = false;
  bool afterSum = false;        // norms after the residual sum
  bool normsPlusOne = false;    // norms multiply by 1 + w (Gemma); GGUF stores the sum
  bool scaledEmbedding = false; // embeddings times √width (Gemma)
  bool capsScores = false;      // attn_logit_softcapping is read
  bool scaleOfQueries = false;  // scores are divided by √query_pre_attn_scalar
  bool transposed = false;      // matrices are [inputs, outputs]; GGUF stores the transpose
  bool threePerHead = false;    // query, key and value of a head together; not in GGUF
  bool rotates = true;          // queries and keys by their positions
  bool partialRotation = false; // a share of a head's numbers
  bool skipsRotation = false;   // in every fourth layer (layer_kinds.h, ropeLayers)
  bool localRotation = false;   // sliding layers have a base of their own
  bool pairedInGguf = false;    // ModelLayer::pairedRows
  Index fullEvery = 0;          // in GGUF each so-many-th layer does not slide; 0: all slide
  Index layersOfWidest = 0;     // in GGUF: with so many, scale is 1 / √(width / heads)
};

std::span<const Family> modelFamilies();

// By model_type. E_UNSUPPORTED names it and lists the families that there are.
const Family& familyOfType(std::string_view modelType);
// By general.architecture likewise.
const Family& familyOfArchitecture(std::string_view architecture);

// The names that files of GGUF have for the same parts (https://github.com/ggml-org/llama.cpp,
// gguf-py/gguf/constants.py, TENSOR_NAMES).
TensorNames ggufNames(const Family& family);

// As config.json names them: "silu", "gelu_pytorch_tanh". E_UNSUPPORTED lists what there is.
Activation activationNamed(std::string_view name);

} // namespace attention
