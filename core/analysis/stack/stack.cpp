#include "core/analysis/stack/stack.h"

#include "core/analysis/stack/class_defaults.h"
#include "core/analysis/stack/config_fields.h"
#include "core/analysis/stack/layer_kinds.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

using Written = nlohmann::ordered_json;

Written mechanism(const char* name, Written params = Written::object()) {
  return {{"mechanism", name}, {"params", std::move(params)}};
}

constexpr Index kUsualChunk = 8192; // Llama 4's, which T11 takes for every type

// Patterns of the layers of one configuration, by kind.
class LayerPatterns {
public:
  explicit LayerPatterns(const ConfigFields& c)
      : c_(c), bert_(c.model() == "modernbert"),
        both_((c.model() == "gemma3_text" && c.isTrue("use_bidirectional_attention")) ||
              (c.model() == "gemma4_text" && c.at("use_bidirectional_attention") == "all")) {}

  Written of(const std::string& kind) const {
    if (kind == "full_attention")
      return mechanism(bert_ || both_ ? "full" : "causal");
    if (kind == "sliding_attention")
      return sliding();
    if (kind == "chunked_attention")
      return causalChunks(needed("attention_chunk_size", chunk()));
    if (kind == "indexed_attention")
      return mechanism(
          "topk", {{"k", needed("index_topk", c_.size("index_topk", 2048))}, {"causal", true}});
    return nullptr;
  }

  std::optional<Index> keptBy(const std::string& kind) const {
    if (kind == "sliding_attention")
      return bert_ ? std::nullopt : windowOf(c_);
    return kind == "chunked_attention" ? chunk() : std::nullopt;
  }

private:
  static Index needed(const char* name, const std::optional<Index>& value) {
    if (!value)
      throw Error(ErrorCode::Type, name,
                  std::string(name) + " is missing; layers of this model need an integer");
    if (*value < 1)
      throwRange(name, std::to_string(*value), "an integer of at least 1");
    return *value;
  }

  std::optional<Index> chunk() const { return c_.size("attention_chunk_size", kUsualChunk); }

  Written sliding() const {
    if (bert_)
      return bothSides(needed("local_attention", c_.size("local_attention", 128)) / 2);
    const Index window = needed("sliding_window", windowOf(c_));
    // The window becomes W div 2 + 1, exclusive, on both sides.
    return both_ ? bothSides(floorDiv(window, 2)) : causalWindow(window);
  }

  const ConfigFields& c_;
  bool bert_;
  bool both_;
};

// Widths of keys and values where the configuration or its class says them.
void addWidths(const ConfigFields& c, KvLayer& layer) {
  if (const auto rank = c.size("kv_lora_rank")) {
    layer.latent = *rank + c.size("qk_rope_head_dim").value_or(0);
    return;
  }
  const bool wide = layer.kind == "full_attention" && c.model() == "gemma4_text";
  const auto own = wide ? c.size("num_global_key_value_heads") : std::nullopt;
  layer.kvHeads = own ? own : kvHeadsOf(c);
  const auto ownDim = wide ? c.size("global_head_dim") : std::nullopt;
  layer.headDim = ownDim ? ownDim : headDimOf(c);
  layer.vDim = c.size("v_head_dim");
}

// The last layers that use keys and values of layers below; 0 for most models.
Index sharedLayersOf(const ConfigFields& c) {
  const ClassDefaults* usual = classDefaults(c);
  const Index shared =
      c.integer("num_kv_shared_layers", usual ? usual->sharedLayers : 0).value_or(0);
  if (shared < 0)
    throwRange("num_kv_shared_layers", std::to_string(shared), "an integer of at least 0");
  return shared;
}

// T11 makes every type without a rule a decoder: true of these, whose layers transformers reads so.
constexpr std::string_view kDecoders =
    "biogpt bloom codegen cohere dbrx deepseek_v2 deepseek_v3 falcon gemma glm glm4 gpt2 "
    "gpt_bigcode gpt_neox gptj granite llama ministral mistral mixtral mpt nemotron olmo olmo2 "
    "opt persimmon phi phi3 stablelm starcoder2 xglm";
// Those of them whose layers slide where there is a window.
constexpr std::string_view kSlidingDecoders = "ministral mistral mixtral phi3 starcoder2";
constexpr std::string_view kEncoders =
    "albert bert big_bird camembert deberta deberta-v2 dinov2 distilbert electra esm eurobert fnet "
    "funnel layoutlmv3 longformer mpnet nomic_bert pixtral roberta siglip_vision_model vit "
    "wav2vec2 xlm-roberta xlm-roberta-xl xlnet";
constexpr std::string_view kPairs =
    "bart bigbird_pegasus blenderbot blenderbot-small led longt5 m2m_100 marian mbart mt5 mvp "
    "pegasus pegasus_x plbart pop2piano prophetnet switch_transformers t5 udop umt5 whisper";

// What the layers were read by.
std::string sourceOf(const ConfigFields& c) {
  const std::string& model = c.model();
  const ClassDefaults* usual = classDefaults(c);
  if (isAmong("ministral mistral exaone4", model) && c.at("layer_types").is_null() &&
      !c.has("sliding_window"))
    return "config.json without sliding_window, which is taken as none; transformers 5.24.0 "
           "takes " +
           std::to_string(usual->window);
  if (isAmong(kDecoders, model) && !isAmong(kSlidingDecoders, model) && windowOf(c))
    return "config.json; its sliding_window is taken as the window of every layer";
  if (hasRule(c) || isAmong(kDecoders, model))
    return "config.json, read as transformers 5.24.0 reads it";
  if (isAmong(kEncoders, model))
    return "config.json; " + model +
           " is an encoder; there is no rule for its layers, so they are taken as causal";
  if (isAmong(kPairs, model))
    return "config.json; " + model +
           " has an encoder and a decoder; there is no rule for their layers, so only the "
           "encoder's layers are listed, as causal";
  return "config.json; there is no rule for " + excerpt(model) +
         ", so all its layers are taken as " +
         (windowOf(c) ? "causal attention within its sliding_window" : "full causal attention");
}

} // namespace

Written causalWindow(Index window) {
  return mechanism("local", {{"window", window}, {"causal", true}});
}
Written bothSides(Index reach) {
  return mechanism("sliding_window", {{"left", reach}, {"right", reach}});
}
Written causalChunks(Index chunk) {
  return mechanism("block_local", {{"block_size", chunk}, {"causal", true}});
}

Stack stackFromConfig(const nlohmann::json& config) {
  const ConfigFields c(config);
  const LayerKinds kinds = layerKinds(c);
  const LayerPatterns patterns(c);
  Stack stack;
  stack.title = c.model();
  stack.source = sourceOf(c);
  if (std::any_of(kinds.begin(), kinds.end(), keepsKeys)) // else there is no attention
    stack.heads = headsOf(c);
  stack.context = firstSize(c, {"max_position_embeddings", "n_positions", "max_seq_len"});
  stack.encoder = c.model() == "modernbert";
  const Index shared = sharedLayersOf(c);
  for (const std::string& kind : kinds) {
    StackLayer layer{kind, patterns.of(kind), KvLayer{kind}};
    layer.cache.window = patterns.keptBy(kind);
    layer.cache.shared = std::ssize(stack.layers) >= std::ssize(kinds) - shared;
    if (keepsKeys(kind))
      addWidths(c, layer.cache);
    stack.layers.push_back(std::move(layer));
  }
  return stack;
}

Pattern patternOfLayer(const Stack& stack, Index layer) {
  const Index last = std::ssize(stack.layers) - 1;
  if (layer < 0 || layer > last)
    throwRange("layer", std::to_string(layer), "from 0 to " + std::to_string(last));
  const StackLayer& of = stack.layers[static_cast<std::size_t>(layer)];
  if (of.pattern.is_null())
    throw Error(ErrorCode::Unsupported, "layer",
                "layer " + std::to_string(layer) + " of " + stack.title + " is " + of.kind +
                    ", for which there is no mask");
  return patternFromJson(of.pattern);
}

std::optional<Index> kvBytes(const Stack& stack, const KvQuestion& question) {
  if (stack.encoder)
    return std::nullopt;
  std::vector<KvLayer> layers;
  for (const StackLayer& layer : stack.layers) {
    const bool known = layer.cache.latent || (layer.cache.kvHeads && layer.cache.headDim);
    if (keepsKeys(layer.kind) && !layer.cache.shared && !known)
      return std::nullopt;
    layers.push_back(layer.cache);
  }
  return kvBytes(layers, question);
}

namespace {

// A choice is one word and has no quotes: "union".
std::string valueText(const Written& value) {
  constexpr std::size_t kLongest = 48; // bytes
  if (value.is_string()) {
    const std::string& word = value.get_ref<const std::string&>();
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos)
      return word;
  }
  return shortened(value.dump(), kLongest);
}

} // namespace

std::string mechanismText(const Written& pattern) {
  std::string text = pattern["mechanism"];
  for (const auto& [name, value] : pattern["params"].items())
    if (value != false)
      text += ", " + name + (value == true ? "" : " " + valueText(value));
  return text;
}

} // namespace attention
