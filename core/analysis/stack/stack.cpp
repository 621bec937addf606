#include "core/analysis/stack/stack.h"

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

// What the classes of transformers 5.24.0 take for fields that a configuration leaves out.
struct ClassDefaults {
  std::string_view model;
  const char* windowField;
  Index window;
  Index heads;
  std::optional<Index> kvHeads; // absent: as many as heads
  std::optional<Index> headDim; // absent: hidden / heads
  Index hidden;
  Index sharedLayers = 0;
};
constexpr std::array kDefaults{
    ClassDefaults{"recurrent_gemma", "attention_window_size", 2048, 10, {}, {}, 2560},
    ClassDefaults{"gpt_neo", "window_size", 256, 16, {}, {}, 2048},
    ClassDefaults{"gemma2", "sliding_window", 4096, 8, 4, 256, 2304},
    ClassDefaults{"gemma3_text", "sliding_window", 4096, 8, 4, 256, 2304},
    ClassDefaults{"cohere2", "sliding_window", 4096, 64, {}, {}, 8192},
    ClassDefaults{"olmo3", "sliding_window", 4096, 32, {}, {}, 4096},
    ClassDefaults{"exaone4", "sliding_window", 4096, 32, 32, {}, 4096},
    ClassDefaults{"gemma3n_text", "sliding_window", 512, 8, 2, 256, 2048, 15},
    ClassDefaults{"gemma4_text", "sliding_window", 512, 8, 4, 256, 2304},
    ClassDefaults{"gpt_oss", "sliding_window", 128, 64, 8, 64, 2880}};

// Null where the class is not among them.
const ClassDefaults* defaultsOf(const ConfigFields& c) {
  const auto at = std::find_if(kDefaults.begin(), kDefaults.end(),
                               [&](const ClassDefaults& d) { return d.model == c.model(); });
  return at == kDefaults.end() ? nullptr : &*at;
}

// The window of sliding layers, in keys; nothing where the configuration has none.
std::optional<Index> windowOf(const ConfigFields& c) {
  const ClassDefaults* usual = defaultsOf(c);
  return usual ? c.size(usual->windowField, usual->window) : c.size("sliding_window");
}

constexpr Index kUsualChunk = 8192; // Llama 4's, which T11 takes for every type

// Patterns of the layers of one configuration, by kind.
class LayerPatterns {
public:
  explicit LayerPatterns(const ConfigFields& c)
      : c_(c), window_(windowOf(c)), bert_(c.model() == "modernbert"),
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
      return bert_ ? std::nullopt : window_;
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
    const Index window = needed("sliding_window", window_);
    // The window becomes W div 2 + 1, exclusive, on both sides.
    return both_ ? bothSides(floorDiv(window, 2)) : causalWindow(window);
  }

  const ConfigFields& c_;
  std::optional<Index> window_;
  bool bert_;
  bool both_;
};

std::optional<Index> firstOf(const ConfigFields& c, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto value = c.size(name))
      return value;
  return std::nullopt;
}

std::optional<Index> headsOf(const ConfigFields& c) {
  const ClassDefaults* usual = defaultsOf(c);
  const auto heads = firstOf(c, {"num_attention_heads", "n_head", "num_heads"});
  return heads || !usual ? heads : usual->heads;
}

std::optional<Index> kvHeadsOf(const ConfigFields& c) {
  const ClassDefaults* usual = defaultsOf(c);
  const auto own = c.size("num_key_value_heads");
  if (!own && usual && usual->kvHeads && !c.has("num_key_value_heads"))
    return usual->kvHeads;
  return own ? own : headsOf(c);
}

std::optional<Index> headDimOf(const ConfigFields& c) {
  const ClassDefaults* usual = defaultsOf(c);
  if (const auto own = c.size("head_dim"))
    return own;
  if (usual && usual->headDim)
    return usual->headDim;
  auto hidden = firstOf(c, {"hidden_size", "n_embd", "d_model"});
  if (!hidden && usual)
    hidden = usual->hidden;
  const auto heads = headsOf(c);
  return hidden && heads ? std::optional(*hidden / *heads) : std::nullopt;
}

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
  const ClassDefaults* usual = defaultsOf(c);
  const Index shared =
      c.integer("num_kv_shared_layers", usual ? usual->sharedLayers : 0).value_or(0);
  if (shared < 0)
    throwRange("num_kv_shared_layers", std::to_string(shared), "an integer of at least 0");
  return shared;
}

// Encoders that T11 has no rule for, which makes them decoders as it makes every unknown type.
bool isOtherEncoder(const std::string& model) {
  constexpr std::array<std::string_view, 16> kEncoders{
      "albert",     "bert",   "big_bird",    "camembert",     "deberta", "deberta-v2",
      "distilbert", "dinov2", "electra",     "longformer",    "mpnet",   "nomic_bert",
      "roberta",    "vit",    "xlm-roberta", "xlm-roberta-xl"};
  return std::find(kEncoders.begin(), kEncoders.end(), model) != kEncoders.end();
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
  stack.source =
      isOtherEncoder(c.model())
          ? "config.json; " + c.model() +
                " is an encoder; there is no rule for its layers, so they are taken as causal"
          : "config.json, read as transformers 5.24.0 reads it";
  stack.heads = headsOf(c);
  stack.context = firstOf(c, {"max_position_embeddings", "n_positions"});
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
