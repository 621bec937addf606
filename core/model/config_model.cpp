#include "core/model/model_parts.h"

#include "core/analysis/stack/layer_kinds.h"
#include "core/analysis/stack/stack.h"
#include "core/model/config_rotation.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

using Json = nlohmann::json;

// The fields of the text model over the defaults of its family.
Json withDefaults(const Family& family, const Json& config, const std::string& type) {
  Json fields = Json::parse(family.defaults);
  const auto inner = config.find("text_config");
  fields.update(inner != config.end() && inner->is_object() ? *inner : config);
  fields["model_type"] = type;
  fields.erase("text_config");
  return fields;
}

// The first of the fields that is there, from 1 to `most`.
Index sizeOf(const ConfigFields& c, std::initializer_list<const char*> names, Index most) {
  for (const char* name : names) {
    const std::optional<Index> value = c.integer(name);
    if (!value)
      continue;
    if (*value < 1 || *value > most)
      throwRange(name, std::to_string(*value), "from 1 to " + std::to_string(most));
    return *value;
  }
  throw Error(ErrorCode::Type, *names.begin(),
              std::string(*names.begin()) + " is missing; it must be an integer of at least 1");
}

// The first of the fields that is there; one of them is in the defaults.
template <class T>
T firstOf(const ConfigFields& c, std::optional<T> (ConfigFields::*read)(const char*) const,
          std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto value = (c.*read)(name))
      return *value;
  failJsonType(*names.begin(), c.at(*names.begin()), "set");
}

void refuseUnread(const ConfigFields& c, const Family& family) {
  if (!c.at("quantization_config").is_null())
    throw Error(ErrorCode::Unsupported, "quantization_config",
                "quantization_config says that the weights are quantised by another library; they "
                "must be float32, float16 or bfloat16, or in a GGUF file");
  for (const char* name : {"add_cross_attention", "is_encoder_decoder"})
    if (c.isTrue(name))
      throw Error(ErrorCode::Unsupported, name, std::string(name) + " is true; it must be false");
  if (family.encoder && c.isTrue("is_decoder"))
    throw Error(ErrorCode::Unsupported, "is_decoder", "is_decoder is true; it must be false");
  const std::string positions = c.text("position_embedding_type").value_or("absolute");
  if (positions != "absolute")
    throw Error(ErrorCode::Unsupported, "position_embedding_type",
                "position_embedding_type is " + excerpt(positions) + "; it must be absolute");
}

void readSizes(const ConfigFields& c, Model& model) {
  model.width = sizeOf(c, {"hidden_size", "n_embd"}, kMostModelWidth);
  model.heads = sizeOf(c, {"num_attention_heads", "n_head"}, kMostModelWidth);
  model.kvHeads = sizeOf(c, {"num_key_value_heads", "num_attention_heads", "n_head"}, model.heads);
  if (model.heads % model.kvHeads != 0)
    throwRange("num_key_value_heads", std::to_string(model.kvHeads),
               "a divisor of the heads, " + std::to_string(model.heads));
  if (c.at("head_dim").is_null() && model.width < model.heads)
    throwRange("hidden_size", std::to_string(model.width),
               "at least the number of heads, " + std::to_string(model.heads));
  model.headWidth = c.at("head_dim").is_null() ? model.width / model.heads
                                               : sizeOf(c, {"head_dim"}, kMostModelWidth);
  model.context = sizeOf(c, {"max_position_embeddings", "n_positions"}, kMaxLength);
}

double epsilonOf(const ConfigFields& c) {
  for (const char* name : {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon"})
    if (const auto epsilon = c.number(name)) {
      if (!(*epsilon >= 0))
        throwRange(name, shortest(*epsilon), "a number of at least 0");
      return *epsilon;
    }
  failJsonType("rms_norm_eps", c.at("rms_norm_eps"), "set");
}

LayerBiases biasesOf(const ConfigFields& c, const FamilyBiases& biases) {
  const auto has = [&](BiasRule rule, const char* field) {
    return rule == BiasRule::Always || (rule == BiasRule::Configured && c.isTrue(field));
  };
  return {has(biases.heads, "attention_bias"), has(biases.output, "attention_bias"),
          has(biases.feedForward, "mlp_bias")};
}

std::optional<double> capOf(const ConfigFields& c, const char* name) {
  const std::optional<double> cap = c.number(name);
  if (cap && !(*cap > 0))
    throwRange(name, shortest(*cap), "a number above 0");
  return cap;
}

// What scores of layer i are multiplied by.
double scaleOf(const ConfigFields& c, const Family& family, const Model& model, Index i) {
  double width = static_cast<double>(model.headWidth);
  if (family.scaleOfQueries)
    width = firstOf(c, &ConfigFields::number, {"query_pre_attn_scalar"});
  if (!(width > 0))
    throwRange("query_pre_attn_scalar", shortest(width), "a number above 0");
  const bool scales = !c.has("scale_attn_weights") || c.isTrue("scale_attn_weights"); // GPT-2
  const double scale = scales ? std::pow(width, -0.5) : 1; // to the last digit as transformers
  return c.isTrue("scale_attn_by_inverse_layer_idx") ? scale / static_cast<double>(i + 1) : scale;
}

// What a model computes with is in its file: a stack takes a usual size of chunks instead.
void requireChunk(const ConfigFields& c, const Stack& stack) {
  const bool chunks = std::any_of(stack.layers.begin(), stack.layers.end(), [](const auto& layer) {
    return layer.kind == "chunked_attention";
  });
  if (chunks && !c.size("attention_chunk_size"))
    throw Error(ErrorCode::Type, "attention_chunk_size",
                "attention_chunk_size is missing; layers of this model need an integer");
}

void readLayers(const ConfigFields& c, const Family& family, const Json& config, Model& model) {
  sizeOf(c, {"num_hidden_layers", "num_layers", "n_layer"}, kMostModelLayers);
  const Stack stack = stackFromConfig(config);
  requireChunk(c, stack);
  const auto layers = std::ssize(stack.layers);
  std::vector<bool> rotates(stack.layers.size(), family.rotates);
  if (family.skipsRotation)
    rotates = ropeLayers(c, layers);
  ConfigRotations rotations(c, family, model.headWidth);
  const std::optional<double> cap =
      family.capsScores ? capOf(c, "attn_logit_softcapping") : std::nullopt;
  model.layers.resize(stack.layers.size());
  for (Index i = 0; i < layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ModelLayer& layer = model.layers[at];
    layer.pattern = family.encoder ? Pattern() : patternOfLayer(stack, i);
    layer.modifiers.scale = scaleOf(c, family, model, i);
    layer.modifiers.softcap = cap;
    if (rotates[at])
      layer.rotation = rotations.of(stack.layers[at].kind);
  }
}

} // namespace

ConfigModel modelOfConfig(const Json& config) {
  const std::string type = ConfigFields(config).model();
  const Family& family = familyOfType(type);
  const Json merged = withDefaults(family, config, type);
  const ConfigFields c(merged);
  refuseUnread(c, family);
  ConfigModel made;
  made.family = &family;
  made.tied = c.isTrue("tie_word_embeddings");
  made.biases = biasesOf(c, family.biases);
  made.vocabulary = sizeOf(c, {"vocab_size"}, kMostModelWidth);
  // Of the file itself: a family's defaults claim nothing about its tensors.
  const ConfigFields stated(config);
  for (const char* field : {"intermediate_size", "n_inner"})
    if (const auto width = stated.size(field)) {
      made.feedForward = width;
      made.feedForwardField = field;
    }
  Model& model = made.model;
  model.family = family.name;
  model.encoder = family.encoder;
  model.afterSum = family.afterSum;
  model.normKind = family.norm;
  readSizes(c, model);
  model.normEpsilon = epsilonOf(c);
  model.activation = activationNamed(
      firstOf(c, &ConfigFields::text, {"hidden_activation", "hidden_act", "activation_function"}));
  model.parallelBlocks = c.isTrue("use_parallel_residual");
  model.embeddingFactor = family.scaledEmbedding ? std::sqrt(static_cast<double>(model.width)) : 1;
  model.logitCap = capOf(c, "final_logit_softcapping");
  readLayers(c, family, config, model);
  return made;
}

} // namespace attention
