#include "core/model/families.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

// ---- names of tensors ----

constexpr TensorNames llamaNames() {
  TensorNames n;
  n.embedding = "embed_tokens";
  n.finalNorm = "norm";
  n.logits = "lm_head language_model.lm_head";
  n.layer = "layers.{}.";
  n.query = "self_attn.q_proj";
  n.key = "self_attn.k_proj";
  n.value = "self_attn.v_proj";
  n.output = "self_attn.o_proj";
  n.attentionBefore = "input_layernorm";
  n.feedForwardBefore = "post_attention_layernorm";
  n.gate = "mlp.gate_proj";
  n.up = "mlp.up_proj";
  n.down = "mlp.down_proj";
  return n;
}

constexpr TensorNames withHeadNorms(TensorNames n) {
  n.queryNorm = "self_attn.q_norm";
  n.keyNorm = "self_attn.k_norm";
  return n;
}

constexpr TensorNames gemmaNames() {
  TensorNames n = llamaNames();
  n.attentionAfter = "post_attention_layernorm";
  n.feedForwardBefore = "pre_feedforward_layernorm";
  n.feedForwardAfter = "post_feedforward_layernorm";
  return n;
}

constexpr TensorNames olmo2Names() {
  TensorNames n = withHeadNorms(llamaNames());
  n.attentionBefore = n.feedForwardBefore = {};
  n.attentionAfter = "post_attention_layernorm";
  n.feedForwardAfter = "post_feedforward_layernorm";
  return n;
}

constexpr TensorNames phi3Names() {
  TensorNames n = llamaNames();
  n.query = n.key = n.value = n.gate = n.up = {};
  n.queryKeyValue = "self_attn.qkv_proj";
  n.gateUp = "mlp.gate_up_proj";
  return n;
}

constexpr TensorNames gpt2Names() {
  TensorNames n;
  n.embedding = "wte";
  n.positions = "wpe";
  n.finalNorm = "ln_f";
  n.logits = "lm_head";
  n.layer = "h.{}.";
  n.queryKeyValue = "attn.c_attn";
  n.output = "attn.c_proj";
  n.attentionBefore = "ln_1";
  n.feedForwardBefore = "ln_2";
  n.up = "mlp.c_fc";
  n.down = "mlp.c_proj";
  return n;
}

constexpr TensorNames gptNeoxNames() {
  TensorNames n;
  n.embedding = "embed_in";
  n.finalNorm = "final_layer_norm";
  n.logits = "lm_head embed_out";
  n.layer = "layers.{}.";
  n.queryKeyValue = "attention.query_key_value";
  n.output = "attention.dense";
  n.attentionBefore = "input_layernorm";
  n.feedForwardBefore = "post_attention_layernorm";
  n.up = "mlp.dense_h_to_4h";
  n.down = "mlp.dense_4h_to_h";
  return n;
}

constexpr TensorNames bertNames() {
  TensorNames n;
  n.embedding = "embeddings.word_embeddings";
  n.positions = "embeddings.position_embeddings";
  n.tokenTypes = "embeddings.token_type_embeddings";
  n.embeddingNorm = "embeddings.LayerNorm";
  n.layer = "encoder.layer.{}.";
  n.query = "attention.self.query";
  n.key = "attention.self.key";
  n.value = "attention.self.value";
  n.output = "attention.output.dense";
  n.attentionAfter = "attention.output.LayerNorm";
  n.feedForwardAfter = "output.LayerNorm";
  n.up = "intermediate.dense";
  n.down = "output.dense";
  return n;
}

// ---- biases ----

constexpr FamilyBiases kNoBiases{BiasRule::Never, BiasRule::Never, BiasRule::Never};
constexpr FamilyBiases kAllBiases{BiasRule::Always, BiasRule::Always, BiasRule::Always};
constexpr FamilyBiases kConfiguredBiases{BiasRule::Configured, BiasRule::Configured,
                                         BiasRule::Configured};

// ---- the table ----

constexpr std::array kFamilies{
    Family{.name = "llama",
           .architecture = "llama",
           .defaults = R"({"vocab_size": 32000, "hidden_size": 4096, "num_attention_heads": 32,
             "hidden_act": "silu", "max_position_embeddings": 2048, "rms_norm_eps": 1e-6,
             "tie_word_embeddings": false, "rope_theta": 10000})",
           .names = llamaNames(),
           .biases = kConfiguredBiases,
           .pairedInGguf = true},
    Family{.name = "mistral", // a GGUF calls it llama
           .architecture = {},
           .defaults = R"({"vocab_size": 32000, "hidden_size": 4096, "num_attention_heads": 32,
             "num_key_value_heads": 8, "hidden_act": "silu", "max_position_embeddings": 131072,
             "rms_norm_eps": 1e-6, "tie_word_embeddings": false, "rope_theta": 10000})",
           .names = llamaNames(),
           .biases = kNoBiases,
           .pairedInGguf = true},
    Family{.name = "qwen2",
           .architecture = "qwen2",
           .defaults = R"({"vocab_size": 151936, "hidden_size": 4096, "num_attention_heads": 32,
             "num_key_value_heads": 32, "hidden_act": "silu", "max_position_embeddings": 32768,
             "rms_norm_eps": 1e-6, "tie_word_embeddings": false, "rope_theta": 10000})",
           .names = llamaNames(),
           .biases = {.heads = BiasRule::Always, .output = BiasRule::Never}},
    Family{.name = "qwen3",
           .architecture = "qwen3",
           .defaults = R"({"vocab_size": 151936, "hidden_size": 4096, "num_attention_heads": 32,
             "num_key_value_heads": 32, "head_dim": 128, "hidden_act": "silu",
             "max_position_embeddings": 32768, "rms_norm_eps": 1e-6,
             "tie_word_embeddings": false, "rope_theta": 10000})",
           .names = withHeadNorms(llamaNames())},
    Family{.name = "gemma2",
           .architecture = "gemma2",
           .defaults = R"({"vocab_size": 256000, "hidden_size": 2304, "num_attention_heads": 8,
             "num_key_value_heads": 4, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh",
             "max_position_embeddings": 8192, "rms_norm_eps": 1e-6, "tie_word_embeddings": true,
             "query_pre_attn_scalar": 256, "final_logit_softcapping": 30,
             "attn_logit_softcapping": 50, "rope_theta": 10000})",
           .names = gemmaNames(),
           .normsPlusOne = true,
           .scaledEmbedding = true,
           .capsScores = true,
           .scaleOfQueries = true,
           .fullEvery = 2,
           .layersOfWidest = 46},
    Family{.name = "gemma3",
           .also = "gemma3_text",
           .architecture = "gemma3",
           .defaults = R"({"vocab_size": 262208, "hidden_size": 2304, "num_attention_heads": 8,
             "num_key_value_heads": 4, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh",
             "max_position_embeddings": 131072, "rms_norm_eps": 1e-6, "tie_word_embeddings": true,
             "query_pre_attn_scalar": 256, "rope_theta": 1000000, "rope_local_base_freq": 10000})",
           .names = withHeadNorms(gemmaNames()),
           .normsPlusOne = true,
           .scaledEmbedding = true,
           .scaleOfQueries = true,
           .localRotation = true,
           .fullEvery = 6,
           .layersOfWidest = 62},
    Family{.name = "phi3",
           .architecture = "phi3",
           .defaults = R"({"vocab_size": 32064, "hidden_size": 3072, "num_attention_heads": 32,
             "hidden_act": "silu", "max_position_embeddings": 4096, "rms_norm_eps": 1e-5,
             "tie_word_embeddings": false, "rope_theta": 10000})",
           .names = phi3Names(),
           .biases = kNoBiases,
           .partialRotation = true},
    Family{.name = "olmo2",
           .architecture = "olmo2",
           .defaults = R"({"vocab_size": 50304, "hidden_size": 4096, "num_attention_heads": 32,
             "hidden_act": "silu", "max_position_embeddings": 2048, "rms_norm_eps": 1e-5,
             "tie_word_embeddings": false, "rope_theta": 10000})",
           .names = olmo2Names()},
    Family{.name = "smollm3",
           .architecture = "smollm3",
           .defaults = R"({"vocab_size": 128256, "hidden_size": 2048, "num_attention_heads": 16,
             "num_key_value_heads": 4, "hidden_act": "silu", "max_position_embeddings": 32768,
             "rms_norm_eps": 1e-6, "tie_word_embeddings": true, "rope_theta": 2000000})",
           .names = llamaNames(),
           .biases = kConfiguredBiases,
           .skipsRotation = true,
           .pairedInGguf = true},
    Family{.name = "gpt2",
           .architecture = "gpt2",
           .defaults = R"({"vocab_size": 50257, "n_embd": 768, "n_head": 12,
             "activation_function": "gelu_new", "n_positions": 1024, "layer_norm_epsilon": 1e-5,
             "tie_word_embeddings": true, "scale_attn_weights": true})",
           .names = gpt2Names(),
           .biases = kAllBiases,
           .norm = NormKind::Layer,
           .transposed = true,
           .rotates = false},
    Family{.name = "gpt_neox",
           .architecture = "gptneox",
           .defaults = R"({"vocab_size": 50432, "hidden_size": 6144, "num_attention_heads": 64,
             "hidden_act": "gelu", "max_position_embeddings": 2048, "layer_norm_eps": 1e-5,
             "tie_word_embeddings": false, "use_parallel_residual": true, "rotary_pct": 0.25,
             "rotary_emb_base": 10000, "attention_bias": true})",
           .names = gptNeoxNames(),
           .biases = {.feedForward = BiasRule::Always},
           .norm = NormKind::Layer,
           .threePerHead = true,
           .partialRotation = true},
    Family{.name = "bert",
           .architecture = "bert",
           .defaults = R"({"vocab_size": 30522, "hidden_size": 768, "num_attention_heads": 12,
             "hidden_act": "gelu", "max_position_embeddings": 512, "layer_norm_eps": 1e-12})",
           .names = bertNames(),
           .biases = kAllBiases,
           .norm = NormKind::Layer,
           .encoder = true,
           .afterSum = true,
           .rotates = false},
};

bool isAmongWords(std::string_view words, std::string_view word) {
  const std::vector<std::string_view> all = split(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

[[noreturn]] void failFamily(const char* subject, std::string_view found) {
  std::string known;
  for (const Family& family : kFamilies)
    known += (known.empty() ? "" : ", ") + std::string(family.name);
  throw Error(ErrorCode::Unsupported, subject,
              std::string(subject) + " is " + excerpt(found) + "; it must be one of " + known);
}

} // namespace

std::span<const Family> modelFamilies() {
  return kFamilies;
}

const Family& familyOfType(std::string_view modelType) {
  for (const Family& family : kFamilies)
    if (family.name == modelType || isAmongWords(family.also, modelType))
      return family;
  failFamily("model_type", modelType);
}

const Family& familyOfArchitecture(std::string_view architecture) {
  for (const Family& family : kFamilies)
    if (!family.architecture.empty() && family.architecture == architecture)
      return family;
  failFamily("general.architecture", architecture);
}

TensorNames ggufNames(const Family& family) {
  const TensorNames& has = family.names;
  const auto where = [](std::string_view part, std::string_view name) {
    return part.empty() ? std::string_view() : name;
  };
  TensorNames n;
  n.embedding = "token_embd";
  n.positions = where(has.positions, "position_embd");
  n.tokenTypes = where(has.tokenTypes, "token_types");
  n.embeddingNorm = where(has.embeddingNorm, "token_embd_norm");
  n.finalNorm = where(has.finalNorm, "output_norm");
  n.logits = where(has.logits, "output");
  n.layer = "blk.{}.";
  n.queryKeyValue = "attn_qkv";
  n.query = "attn_q";
  n.key = "attn_k";
  n.value = "attn_v";
  n.output = "attn_output";
  n.queryNorm = where(has.queryNorm, "attn_q_norm");
  n.keyNorm = where(has.keyNorm, "attn_k_norm");
  n.attentionBefore = where(has.attentionBefore, "attn_norm");
  n.attentionAfter =
      where(has.attentionAfter, family.afterSum ? "attn_output_norm" : "post_attention_norm");
  n.feedForwardBefore = where(has.feedForwardBefore, "ffn_norm");
  n.feedForwardAfter =
      where(has.feedForwardAfter, family.afterSum ? "layer_output_norm" : "post_ffw_norm");
  n.gateUp = where(has.gateUp, "ffn_up");
  n.gate = where(has.gate, "ffn_gate");
  n.up = where(has.up, "ffn_up");
  n.down = "ffn_down";
  return n;
}

Activation activationNamed(std::string_view name) {
  struct Named {
    std::string_view names;
    Activation activation;
  };
  static constexpr std::array kNamed{
      Named{"silu swish", Activation::Silu}, Named{"gelu gelu_python", Activation::Gelu},
      Named{"gelu_new gelu_pytorch_tanh gelu_python_tanh gelu_fast", Activation::GeluTanh},
      Named{"relu", Activation::Relu}};
  std::string known;
  for (const Named& named : kNamed) {
    if (isAmongWords(named.names, name))
      return named.activation;
    for (const std::string_view one : split(named.names, ' '))
      known += (known.empty() ? "" : ", ") + std::string(one);
  }
  throw Error(ErrorCode::Unsupported, "the activation",
              "the activation is " + excerpt(name) + "; it must be one of " + known);
}

} // namespace attention
