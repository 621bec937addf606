#include "core/analysis/stack/class_defaults.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr std::array kDefaults{
    ClassDefaults{"recurrent_gemma", 10, {}, {}, 2560, 2048, "attention_window_size"},
    ClassDefaults{"gpt_neo", 16, {}, {}, 2048, 256, "window_size"},
    ClassDefaults{"gemma", 16, 16, 256, 3072},
    ClassDefaults{"gemma2", 8, 4, 256, 2304, 4096},
    ClassDefaults{"gemma3_text", 8, 4, 256, 2304, 4096},
    ClassDefaults{"gemma3n_text", 8, 2, 256, 2048, 512, "sliding_window", 15},
    ClassDefaults{"gemma4_text", 8, 4, 256, 2304, 512},
    ClassDefaults{"cohere2", 64, {}, {}, 8192, 4096},
    ClassDefaults{"olmo3", 32, {}, {}, 4096, 4096},
    ClassDefaults{"exaone4", 32, 32, {}, 4096, 4096},
    ClassDefaults{"gpt_oss", 64, 8, 64, 2880, 128},
    ClassDefaults{"mistral", 32, 8, {}, 4096, 4096},
    ClassDefaults{"ministral", 32, 8, {}, 4096, 4096},
    ClassDefaults{"mixtral", 32, 8, {}, 4096},
    ClassDefaults{"qwen2", 32, 32, {}, 4096, 4096},
    ClassDefaults{"qwen2_moe", 16, 16, {}, 2048, 4096},
    ClassDefaults{"qwen3", 32, 32, 128, 4096, 4096},
    ClassDefaults{"glm", 32, 2, 128, 4096},
    ClassDefaults{"glm4", 32, 2, 128, 4096},
    ClassDefaults{"starcoder2", 24, 2, {}, 3072},
    ClassDefaults{"jamba", 32, 8, {}, 4096},
    ClassDefaults{"bamba", 32, 8, {}, 4096},
    ClassDefaults{"t5", 8, {}, 64, 512},
    ClassDefaults{"longt5", 8, {}, 64, 512},
    ClassDefaults{"pop2piano", 8, {}, 64, 512},
    ClassDefaults{"mt5", 6, {}, 64, 512},
    ClassDefaults{"umt5", 6, {}, 64, 512},
    ClassDefaults{"switch_transformers", 12, {}, 64, 768},
    ClassDefaults{"pix2struct_text_model", 12, {}, 64, 768},
    ClassDefaults{"udop", 16, {}, 64, 1024}};

// Falcon's first design and GPT-BigCode share one head of keys and values; Falcon's new design
// says how many there are. Nothing of another model.
std::optional<Index> sharedKvHeads(const ConfigFields& c) {
  const bool falcon = c.model() == "falcon";
  if (!falcon && c.model() != "gpt_bigcode")
    return std::nullopt;
  if (falcon && c.isTrue("new_decoder_architecture"))
    return firstSize(c, {"num_kv_heads"});
  const bool one = !c.has("multi_query") || c.isTrue("multi_query");
  return one ? std::optional<Index>(1) : std::nullopt;
}

// DBRX says it in the object attn_config, and its class has one head where that leaves it out.
// MPT's class has no such field there: transformers gives every head its own keys and values.
std::optional<Index> nestedKvHeads(const ConfigFields& c) {
  if (c.model() != "dbrx")
    return std::nullopt;
  return c.within("attn_config").size("kv_n_heads").value_or(1);
}

std::optional<Index> hiddenOf(const ConfigFields& c) {
  // Their classes take the older name before the newer one.
  if (isAmong("bloom falcon", c.model()))
    if (const auto older = c.size("n_embed"))
      return older;
  const ClassDefaults* usual = classDefaults(c);
  const auto hidden = firstSize(c, {"hidden_size", "n_embd", "d_model", "dim", "emb_dim"});
  return hidden || !usual ? hidden : usual->hidden;
}

} // namespace

const ClassDefaults* classDefaults(const ConfigFields& c) {
  const auto at = std::find_if(kDefaults.begin(), kDefaults.end(),
                               [&](const ClassDefaults& d) { return d.model == c.model(); });
  return at == kDefaults.end() ? nullptr : &*at;
}

std::optional<Index> windowOf(const ConfigFields& c) {
  const ClassDefaults* usual = classDefaults(c);
  if (!usual)
    return c.size("sliding_window");
  return usual->window > 0 ? c.size(usual->windowField, usual->window) : c.size(usual->windowField);
}

std::optional<Index> firstSize(const ConfigFields& c, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto value = c.size(name))
      return value;
  return std::nullopt;
}

std::optional<Index> headsOf(const ConfigFields& c) {
  const ClassDefaults* usual = classDefaults(c);
  const auto heads =
      firstSize(c, {"num_attention_heads", "n_head", "num_heads", "n_heads", "attention_heads",
                    "encoder_attention_heads", "num_encoder_attention_heads"});
  return heads || !usual ? heads : usual->heads;
}

std::optional<Index> kvHeadsOf(const ConfigFields& c) {
  if (const auto shared = sharedKvHeads(c))
    return shared;
  if (const auto nested = nestedKvHeads(c))
    return nested;
  const ClassDefaults* usual = classDefaults(c);
  const auto own = c.size("num_key_value_heads");
  if (!own && usual && usual->kvHeads && !c.has("num_key_value_heads"))
    return usual->kvHeads;
  return own ? own : headsOf(c);
}

std::optional<Index> headDimOf(const ConfigFields& c) {
  const ClassDefaults* usual = classDefaults(c);
  if (const auto own = firstSize(c, {"head_dim", "d_kv"})) // d_kv is T5's name
    return own;
  if (usual && usual->headDim)
    return usual->headDim;
  const auto hidden = hiddenOf(c);
  const auto heads = headsOf(c);
  return hidden && heads ? std::optional(*hidden / *heads) : std::nullopt;
}

} // namespace attention
