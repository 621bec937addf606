#include "core/analysis/stack/layer_kinds.h"

#include "core/analysis/stack/class_defaults.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace attention {
namespace {

using Json = nlohmann::json;

constexpr const char* kFull = "full_attention";
constexpr const char* kSliding = "sliding_attention";
constexpr const char* kLinear = "linear_attention";
constexpr const char* kChunked = "chunked_attention";
constexpr const char* kIndexed = "indexed_attention";

LayerKinds kindsOf(Index layers, const std::function<const char*(Index i)>& kindOf) {
  LayerKinds kinds;
  for (Index i = 0; i < layers; ++i)
    kinds.emplace_back(kindOf(i));
  return kinds;
}

LayerKinds everywhere(Index layers, const char* kind) {
  return kindsOf(layers, [kind](Index) { return kind; });
}

// Every k-th layer has full attention, the others `kind`; without k, or with 0, all have.
LayerKinds everyKth(Index layers, std::optional<Index> k, const char* kind) {
  if (k.value_or(0) == 0)
    return everywhere(layers, kFull);
  return kindsOf(layers, [&](Index i) { return (i + 1) % *k == 0 ? kFull : kind; });
}

LayerKinds withLastFull(LayerKinds kinds) {
  kinds.back() = kFull;
  return kinds;
}

void requirePerLayer(const char* name, std::size_t entries, Index layers) {
  if (static_cast<Index>(entries) != layers)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " has " + countText(entries, "entry") +
                    "; it must have one per layer, " + std::to_string(layers));
}

// As T11 has it: a field that is missing counts as null, whatever its class takes for it.
bool hasWindow(const ConfigFields& c) {
  return c.size("sliding_window").has_value();
}

// ---- the rules of the models ----

LayerKinds slidingEverywhere(const ConfigFields& c, Index layers) {
  return everywhere(layers, hasWindow(c) ? kSliding : kFull);
}

LayerKinds qwen(const ConfigFields& c, Index layers) {
  if (!c.isTrue("use_sliding_window") || !hasWindow(c))
    return everywhere(layers, kFull);
  const Index first = c.integer("max_window_layers", 28).value_or(0);
  return kindsOf(layers, [&](Index i) { return i >= first ? kSliding : kFull; });
}

LayerKinds everySecond(const ConfigFields&, Index layers) {
  return everyKth(layers, 2, kSliding);
}
LayerKinds gemma3(const ConfigFields& c, Index layers) {
  return everyKth(layers, c.integer("sliding_window_pattern", 6), kSliding);
}
LayerKinds gemma3n(const ConfigFields&, Index layers) {
  return everyKth(layers, 5, kSliding);
}
LayerKinds gemma4(const ConfigFields&, Index layers) {
  return withLastFull(everyKth(layers, 6, kSliding));
}
LayerKinds cohere2(const ConfigFields& c, Index layers) {
  return everyKth(layers, c.integer("sliding_window_pattern", 4), kSliding);
}
LayerKinds olmo3(const ConfigFields&, Index layers) {
  return everyKth(layers, 4, kSliding);
}
LayerKinds afmoe(const ConfigFields& c, Index layers) {
  return everyKth(layers, c.integer("global_attn_every_n_layers", 4), kSliding);
}
LayerKinds qwen3Next(const ConfigFields& c, Index layers) {
  return everyKth(layers, c.integer("full_attention_interval", 4), kLinear);
}

// The pattern may be written out, as in "LLLG".
LayerKinds exaone4(const ConfigFields& c, Index layers) {
  if (!hasWindow(c))
    return everywhere(layers, kFull);
  if (!c.at("sliding_window_pattern").is_string())
    return everyKth(layers, c.integer("sliding_window_pattern", 4), kSliding);
  const auto letters = c.at("sliding_window_pattern").get<std::string>();
  if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos)
    throwRange("sliding_window_pattern", excerpt(letters), "a text of L and G, as in \"LLLG\"");
  return kindsOf(layers, [&](Index i) {
    return letters[static_cast<std::size_t>(i) % letters.size()] == 'L' ? kSliding : kFull;
  });
}

LayerKinds llama4(const ConfigFields& c, Index layers) {
  const std::vector<bool> rope = ropeLayers(c, layers);
  const bool chunks = c.integer("attention_chunk_size", 8192).has_value();
  return kindsOf(layers, [&](Index i) {
    return chunks && rope[static_cast<std::size_t>(i)] ? kChunked : kFull;
  });
}

LayerKinds smollm3(const ConfigFields& c, Index layers) {
  const std::vector<bool> rope = ropeLayers(c, layers);
  const bool slides = c.isTrue("use_sliding_window") && hasWindow(c);
  return kindsOf(layers, [&](Index i) {
    return slides && !rope[static_cast<std::size_t>(i)] ? kSliding : kFull;
  });
}

LayerKinds modernBert(const ConfigFields& c, Index layers) {
  const Index k = c.positive("global_attn_every_n_layers", 3);
  return kindsOf(layers, [&](Index i) { return i % k == 0 ? kFull : kSliding; });
}

LayerKinds minimax(const ConfigFields&, Index layers) {
  return kindsOf(layers, [](Index i) { return i % 2 == 0 ? kFull : kLinear; });
}

// Layers are counted from 1 there.
LayerKinds kimiLinear(const ConfigFields& c, Index layers) {
  const Json& linear = c.at("linear_attn_config");
  if (!linear.is_object() || !linear.contains("full_attn_layers") || !linear.contains("kda_layers"))
    return kindsOf(layers, [](Index i) { return i > 0 && i % 4 == 0 ? kFull : kLinear; });
  std::set<Json> full;
  for (const Json& layer : linear["full_attn_layers"])
    full.insert(layer);
  return kindsOf(layers, [&](Index i) { return full.count(i + 1) != 0 ? kFull : kLinear; });
}

LayerKinds deepSeek(const ConfigFields&, Index layers) {
  return everywhere(layers, kIndexed);
}

LayerKinds jamba(const ConfigFields& c, Index layers) {
  const Index period = c.positive("attn_layer_period", 8);
  const Index offset = c.integer("attn_layer_offset", 4).value_or(0);
  if (offset >= period)
    throwRange("attn_layer_offset", std::to_string(offset),
               "below attn_layer_period, " + std::to_string(period));
  return kindsOf(layers, [&](Index i) { return i % period == offset ? kFull : kLinear; });
}

// State space and recurrent models, which have no attention.
LayerKinds linear(const ConfigFields&, Index layers) {
  return everywhere(layers, kLinear);
}

LayerKinds bamba(const ConfigFields& c, Index layers) {
  if (!c.isTrue("attn_layer_indices"))
    return everywhere(layers, kLinear);
  const Json& full = c.list("attn_layer_indices");
  return kindsOf(layers, [&](Index i) {
    return std::find(full.begin(), full.end(), Json(i)) != full.end() ? kFull : kLinear;
  });
}

LayerKinds recurrentGemma(const ConfigFields& c, Index layers) {
  const Json usual{"recurrent", "recurrent", "attention"};
  const Json& blocks = c.has("block_types") ? c.list("block_types") : usual;
  if (blocks.empty())
    throwRange("block_types", "empty", "a list of at least one kind of block");
  return kindsOf(layers, [&](Index i) {
    return blocks[static_cast<std::size_t>(i) % blocks.size()] == "recurrent" ? kLinear : kSliding;
  });
}

// attention_types: [[["global", "local"], 12]] is twelve times one of each.
LayerKinds gptNeo(const ConfigFields& c, Index layers) {
  const Json usual = Json::parse(R"([[["global", "local"], 12]])");
  const Json& types = c.has("attention_types") ? c.list("attention_types") : usual;
  LayerKinds kinds;
  for (const Json& entry : types) {
    const bool fits = entry.is_array() && entry.size() == 2 && entry[0].is_array() &&
                      entry[1].is_number_integer();
    if (!fits)
      throw Error(ErrorCode::Type, "attention_types",
                  "attention_types has the entry " + shortened(entry.dump(), 48) +
                      "; it must be [[KIND, …], TIMES]");
    for (Index k = 0; k < entry[1].get<Index>() && std::ssize(kinds) <= layers; ++k)
      for (const Json& kind : entry[0])
        kinds.emplace_back(kind == "local" ? kSliding : kFull);
  }
  requirePerLayer("attention_types", kinds.size(), layers);
  return kinds;
}

struct Rule {
  std::string_view models; // separated by spaces
  LayerKinds (*kinds)(const ConfigFields& config, Index layers);
};

constexpr std::array kRules{
    Rule{"qwen2 qwen3 qwen2_moe qwen3_moe", qwen},
    Rule{"gemma2 vaultgemma t5gemma gpt_oss", everySecond},
    Rule{"gemma3_text", gemma3},
    Rule{"gemma3n_text", gemma3n},
    Rule{"gemma4_text", gemma4},
    Rule{"cohere2", cohere2},
    Rule{"olmo3", olmo3},
    Rule{"afmoe", afmoe},
    Rule{"exaone4", exaone4},
    Rule{"llama4_text", llama4},
    Rule{"smollm3", smollm3},
    Rule{"qwen3_next", qwen3Next},
    Rule{"modernbert", modernBert},
    Rule{"minimax", minimax},
    Rule{"kimi_linear", kimiLinear},
    Rule{"deepseek_v32", deepSeek},
    Rule{"jamba", jamba},
    Rule{"bamba", bamba},
    Rule{"mamba mamba2 falcon_mamba rwkv xlstm", linear},
    Rule{"recurrent_gemma", recurrentGemma},
    Rule{"gpt_neo", gptNeo},
};

// ---- lists in the configuration ----

LayerKinds listedKinds(const ConfigFields& c, const char* name, Index layers) {
  const Json& list = c.list(name);
  requirePerLayer(name, list.size(), layers);
  LayerKinds kinds;
  for (const Json& entry : list) {
    if (!entry.is_string())
      throw Error(ErrorCode::Type, name,
                  std::string(name) + " has the entry " + shortened(entry.dump(), 48) +
                      "; it must be a list of texts");
    const auto kind = entry.get<std::string>();
    kinds.push_back(kind == "mamba"                       ? kLinear
                    : kind == "attention"                 ? kFull
                    : kind == "deepseek_sparse_attention" ? kIndexed
                                                          : kind);
  }
  return c.model() == "gemma4_text" ? withLastFull(kinds) : kinds;
}

// 0: lightning attention, 1: softmax (MiniMax-01, M1).
LayerKinds numberedKinds(const ConfigFields& c, Index layers) {
  const Json& list = c.list("attn_type_list");
  requirePerLayer("attn_type_list", list.size(), layers);
  return kindsOf(layers,
                 [&](Index i) { return list[static_cast<std::size_t>(i)] == 1 ? kFull : kLinear; });
}

Index numberOfLayers(const ConfigFields& c) {
  // As transformers' attribute maps have it, of an encoder with a decoder the encoder's.
  for (const char* name : {"num_hidden_layers", "num_layers", "n_layer", "n_layers",
                           "encoder_layers", "num_encoder_layers"}) {
    if (!c.has(name))
      continue;
    const std::optional<Index> layers = c.integer(name);
    if (!layers || *layers < 1)
      throw Error(ErrorCode::Type, name,
                  std::string(name) + " is " + c.at(name).dump() +
                      "; it must be an integer of at least 1");
    if (*layers > kMostLayers)
      throwRange(name, std::to_string(*layers), "at most " + std::to_string(kMostLayers));
    return *layers;
  }
  throw Error(ErrorCode::Type, "num_hidden_layers",
              "num_hidden_layers is missing; it must be an integer of at least 1");
}

} // namespace

std::vector<bool> ropeLayers(const ConfigFields& c, Index layers) {
  std::vector<bool> rope;
  if (c.isTrue("no_rope_layers")) {
    const Json& list = c.list("no_rope_layers");
    if (static_cast<Index>(list.size()) < layers)
      requirePerLayer("no_rope_layers", list.size(), layers);
    for (const Json& entry : list)
      rope.push_back(isTrueInPython(entry));
    return rope;
  }
  const Index interval = c.positive("no_rope_layer_interval", 4);
  for (Index i = 0; i < layers; ++i)
    rope.push_back((i + 1) % interval != 0);
  return rope;
}

namespace {

// The field with a kind for each layer, or null where there is none that is read.
const char* listOfKinds(const ConfigFields& config) {
  // These classes never read one.
  constexpr std::string_view kWithoutTypes =
      "mistral mixtral phi3 llama gpt_neo recurrent_gemma jamba";
  const char* types = config.has("layer_types") ? "layer_types" : "layers_block_type";
  return config.at(types).is_null() || isAmong(kWithoutTypes, config.model()) ? nullptr : types;
}

const Rule* ruleOf(const ConfigFields& config) {
  const auto at = std::find_if(kRules.begin(), kRules.end(), [&](const Rule& rule) {
    return isAmong(rule.models, config.model());
  });
  return at == kRules.end() ? nullptr : &*at;
}

} // namespace

bool hasRule(const ConfigFields& config) {
  return listOfKinds(config) || config.has("attn_type_list") || ruleOf(config);
}

LayerKinds layerKinds(const ConfigFields& config) {
  const Index layers = numberOfLayers(config);
  if (const char* types = listOfKinds(config))
    return listedKinds(config, types, layers);
  if (config.has("attn_type_list"))
    return numberedKinds(config, layers);
  const Rule* rule = ruleOf(config);
  return rule ? rule->kinds(config, layers) : slidingEverywhere(config, layers);
}

} // namespace attention
