#include "core/analysis/stack/stack.h"

#include "core/analysis/stack/config_fields.h"
#include "core/analysis/stack/layer_kinds.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <array>

namespace attention {
namespace {

using Written = nlohmann::ordered_json;

Written mechanism(const char* name, Written params = Written::object()) {
  return {{"mechanism", name}, {"params", std::move(params)}};
}

// The window of sliding layers, in keys; nothing where the configuration has none.
std::optional<Index> windowOf(const ConfigFields& c) {
  struct Usual {
    std::string_view model;
    const char* field;
    Index window;
  };
  static constexpr std::array kUsual{Usual{"recurrent_gemma", "attention_window_size", 2048},
                                     Usual{"gpt_neo", "window_size", 256},
                                     Usual{"gemma2", "sliding_window", 4096},
                                     Usual{"gemma3_text", "sliding_window", 4096},
                                     Usual{"cohere2", "sliding_window", 4096},
                                     Usual{"olmo3", "sliding_window", 4096},
                                     Usual{"exaone4", "sliding_window", 4096},
                                     Usual{"gemma3n_text", "sliding_window", 512},
                                     Usual{"gemma4_text", "sliding_window", 512},
                                     Usual{"gpt_oss", "sliding_window", 128}};
  for (const Usual& usual : kUsual)
    if (usual.model == c.model())
      return c.integer(usual.field, usual.window);
  return c.integer("sliding_window");
}

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
          "topk", {{"k", needed("index_topk", c_.integer("index_topk", 2048))}, {"causal", true}});
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

  // Only Llama 4 has a default.
  std::optional<Index> chunk() const {
    return c_.model() == "llama4_text" ? c_.integer("attention_chunk_size", 8192)
                                       : c_.integer("attention_chunk_size");
  }

  Written sliding() const {
    if (bert_)
      return bothSides(needed("local_attention", c_.integer("local_attention", 128)) / 2);
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
    if (const auto value = c.integer(name))
      return value;
  return std::nullopt;
}

// Widths of keys and values where the configuration says them.
void addWidths(const ConfigFields& c, const std::optional<Index>& heads, KvLayer& layer) {
  if (const auto rank = c.integer("kv_lora_rank")) {
    layer.latent = *rank + c.integer("qk_rope_head_dim", 0).value_or(0);
    return;
  }
  const bool wide = layer.kind == "full_attention" && c.model() == "gemma4_text";
  const auto own = wide ? c.integer("num_global_key_value_heads") : std::nullopt;
  layer.kvHeads = own ? own : firstOf(c, {"num_key_value_heads"});
  if (!layer.kvHeads)
    layer.kvHeads = heads;
  const auto ownDim = wide ? c.integer("global_head_dim") : std::nullopt;
  layer.headDim = ownDim ? ownDim : c.integer("head_dim");
  const auto hidden = firstOf(c, {"hidden_size", "n_embd", "d_model"});
  if (!layer.headDim && hidden && heads.value_or(0) > 0)
    layer.headDim = *hidden / *heads;
  layer.vDim = c.integer("v_head_dim");
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
  stack.source = "config.json, read as transformers 5.24.0 reads it";
  stack.heads = firstOf(c, {"num_attention_heads", "n_head", "num_heads"});
  stack.context = firstOf(c, {"max_position_embeddings", "n_positions"});
  stack.encoder = c.model() == "modernbert";
  const Index shared = c.integer("num_kv_shared_layers").value_or(0);
  for (const std::string& kind : kinds) {
    StackLayer layer{kind, patterns.of(kind), KvLayer{kind}};
    layer.cache.window = patterns.keptBy(kind);
    layer.cache.shared = std::ssize(stack.layers) >= std::ssize(kinds) - shared;
    if (keepsKeys(kind))
      addWidths(c, stack.heads, layer.cache);
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

std::string mechanismText(const Written& pattern) {
  constexpr std::size_t kLongest = 48; // bytes of a value
  std::string text = pattern["mechanism"];
  for (const auto& [name, value] : pattern["params"].items())
    if (value != false)
      text += ", " + name + (value == true ? "" : " " + shortened(value.dump(), kLongest));
  return text;
}

} // namespace attention
