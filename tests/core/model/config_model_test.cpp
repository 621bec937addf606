#include "core/model/model_parts.h"
#include "core/pattern/pattern_json.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace attention;
using namespace attention::test;

namespace {

using Json = nlohmann::json;

ConfigModel modelOf(const std::string& config) {
  return modelOfConfig(Json::parse(config));
}

// A small configuration of `type` with further fields.
std::string config(const std::string& type, const std::string& more = "") {
  return R"({"model_type": ")" + type +
         R"(", "hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 4)" +
         (more.empty() ? "" : ", ") + more + "}";
}

std::string errorOfConfig(const std::string& type, const std::string& more) {
  return errorOf([&] { modelOf(config(type, more)); });
}

std::vector<Index> windows(const Model& model) {
  std::vector<Index> all;
  for (const ModelLayer& layer : model.layers) {
    const auto written = toJson(layer.pattern);
    all.push_back(written["params"].value("window", Index{0}));
  }
  return all;
}

const Rotation& rotation(const ConfigModel& made, std::size_t layer = 0) {
  REQUIRE(made.model.layers[layer].rotation);
  return *made.model.layers[layer].rotation;
}

} // namespace

TEST_CASE("what a config.json leaves out is as transformers takes it", "[model]") {
  const ConfigModel llama = modelOf(R"({"model_type": "llama", "num_hidden_layers": 1})");
  CHECK(llama.model.width == 4096);
  CHECK(llama.model.kvHeads == 32);
  CHECK(llama.model.headWidth == 128);
  CHECK(llama.model.context == 2048);
  CHECK(llama.model.normEpsilon == 1e-6);
  CHECK_FALSE(llama.tied);
  CHECK(llama.model.layers[0].modifiers.scale == std::pow(128.0, -0.5));
  const ConfigModel neox = modelOf(config("gpt_neox"));
  CHECK(neox.model.parallelBlocks);
  CHECK(rotation(neox).width == 4);
  CHECK(neox.model.activation == Activation::Gelu);
  // Gemma 3 with images: the text model has fields of its own, and few of them are written.
  const ConfigModel gemma = modelOf(R"({"model_type": "gemma3", "text_config": {"model_type":
      "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 7, "sliding_window": 1024,
      "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}})");
  CHECK(gemma.model.headWidth == 256);
  CHECK(gemma.model.heads == 8);
  CHECK(gemma.tied);
  CHECK(gemma.model.embeddingFactor == std::sqrt(2560.0));
  CHECK(rotation(gemma, 0).frequencies[1] == std::pow(10000.0, -2.0 / 256));
  CHECK(rotation(gemma, 5).frequencies[1] == std::pow(1e6, -2.0 / 256) / 8);
  CHECK(windows(gemma.model) == std::vector<Index>{1024, 1024, 1024, 1024, 1024, 0, 1024});
}

TEST_CASE("windows of layers are those of the stack of the configuration", "[model]") {
  CHECK(windows(modelOf(config("mistral", R"("num_key_value_heads": 2, "sliding_window": 12)"))
                    .model) == std::vector<Index>{12, 12, 12, 12});
  CHECK(windows(modelOf(config("gemma2", R"("sliding_window": 9)")).model) ==
        std::vector<Index>{9, 0, 9, 0});
  CHECK(windows(
            modelOf(
                config("qwen2",
                       R"("num_key_value_heads": 2, "use_sliding_window": true, "sliding_window": 7,
                                           "max_window_layers": 3)"))
                .model) == std::vector<Index>{0, 0, 0, 7});
}

TEST_CASE("rotary positions are read in their old and new forms", "[model]") {
  const ConfigModel before = modelOf(config(
      "llama", R"("rope_theta": 500000.0, "rope_scaling": {"type": "linear", "factor": 4.0})"));
  const ConfigModel after = modelOf(config("llama", R"("rope_parameters": {"rope_type": "linear",
                                                       "rope_theta": 500000.0, "factor": 4.0})"));
  CHECK(rotation(before).frequencies == rotation(after).frequencies);
  CHECK(rotation(before).frequencies[0] == 0.25);
  CHECK(rotation(before).frequencies[1] == std::pow(5e5, -2.0 / 16) / 4);
  CHECK(before.model.layers[0].rotation == before.model.layers[3].rotation);
  const ConfigModel neox = modelOf(config("gpt_neox", R"("rotary_pct": 0.5,
                                                         "rotary_emb_base": 100.0)"));
  CHECK(rotation(neox).width == 8);
  CHECK(rotation(neox).frequencies[1] == std::pow(100.0, -2.0 / 8));
  const ConfigModel phi = modelOf(config("phi3", R"("partial_rotary_factor": 0.75)"));
  CHECK(rotation(phi).width == 12);
  const ConfigModel smol = modelOf(config("smollm3"));
  CHECK(rotation(smol, 2).frequencies[1] == std::pow(2e6, -2.0 / 16));
  CHECK_FALSE(smol.model.layers[3].rotation);
  CHECK_FALSE(modelOf(config("gpt2", R"("n_positions": 32)")).model.layers[0].rotation);
}

TEST_CASE("Llama 3's scaling keeps short waves and stretches long ones", "[model]") {
  const ConfigModel made = modelOf(config("llama", R"("head_dim": 64, "rope_parameters":
      {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0,
       "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})"));
  // By transformers 5.24.0, _compute_llama3_parameters in float64.
  const auto plain = [](int i) { return std::pow(500000.0, -2.0 * i / 64); };
  const std::vector<double>& f = rotation(made).frequencies;
  CHECK(f[0] == 1);
  CHECK(f[14] == plain(14)); // 8192 / (2 π / f) = 4.2 waves
  CHECK(f[31] == plain(31) / 8);
  const double waves = 8192 * plain(16) / (2 * 3.141592653589793);
  const double kept = (waves - 1) / 3;
  CHECK(f[16] == Approx((1 - kept) * plain(16) / 8 + kept * plain(16)).epsilon(1e-12));
}

TEST_CASE("scores are scaled and capped as their family does it", "[model]") {
  const Model gemma = modelOf(config("gemma2", R"("query_pre_attn_scalar": 24,
                                                  "attn_logit_softcapping": 5.0,
                                                  "final_logit_softcapping": null)"))
                          .model;
  CHECK(gemma.layers[0].modifiers.scale == std::pow(24.0, -0.5));
  CHECK(gemma.layers[0].modifiers.softcap == 5.0);
  CHECK_FALSE(gemma.logitCap);
  const Model gpt2 = modelOf(config("gpt2", R"("scale_attn_by_inverse_layer_idx": true)")).model;
  CHECK(gpt2.layers[3].modifiers.scale == 0.25 / 4);
  const Model plain = modelOf(config("gpt2", R"("scale_attn_weights": false)")).model;
  CHECK(plain.layers[3].modifiers.scale == 1.0);
}

TEST_CASE("every family has fields to begin with and its activation", "[model]") {
  for (const Family& family : modelFamilies()) {
    INFO(family.name);
    const ConfigModel made =
        modelOf(R"({"model_type": ")" + std::string(family.name) + R"(", "num_hidden_layers": 8})");
    CHECK(made.family == &family);
    CHECK(made.model.family == family.name);
    CHECK(std::ssize(made.model.layers) == 8);
    CHECK((made.model.layers[0].rotation != nullptr) == family.rotates);
  }
}

TEST_CASE("what cannot be read in a config.json is refused by name", "[model]") {
  CHECK(errorOfConfig("bloom", "") ==
        "E_UNSUPPORTED: model_type is \"bloom\"; it must be one of llama, mistral, qwen2, qwen3, "
        "gemma2, gemma3, phi3, olmo2, smollm3, gpt2, gpt_neox, bert");
  CHECK(errorOfConfig("llama", R"("rope_scaling": {"rope_type": "yarn", "factor": 4.0})") ==
        "E_UNSUPPORTED: rope_type is \"yarn\"; it must be default, linear or llama3");
  CHECK(contains(errorOfConfig("llama", R"("hidden_act": "quick_gelu")"),
                 "the activation is \"quick_gelu\"; it must be one of silu"));
  CHECK(errorOfConfig("llama", R"("rope_parameters": {"rope_type": "linear"})") ==
        "E_TYPE: factor is missing; this scaling of rotary positions needs it");
  CHECK(contains(errorOfConfig("llama", R"("quantization_config": {"bits": 4})"),
                 "quantised by another library"));
  CHECK(contains(errorOfConfig("bert", R"("is_decoder": true)"), "is_decoder is true"));
  CHECK(contains(errorOfConfig("bert", R"("position_embedding_type": "relative_key")"),
                 "position_embedding_type is \"relative_key\"; it must be absolute"));
}

TEST_CASE("hostile fields of a config.json end in a sentence", "[model]") {
  CHECK(contains(errorOfConfig("llama", R"("num_key_value_heads": 3)"), "a divisor of the heads"));
  CHECK(contains(errorOfConfig("llama", R"("num_key_value_heads": 0)"), "from 1 to 4"));
  CHECK(contains(errorOfConfig("llama", R"("head_dim": 1073741824)"), "from 1 to 16777216"));
  for (const char* width : {"1", "5"})
    CHECK(errorOfConfig("llama", R"("head_dim": )" + std::string(width)) ==
          "E_RANGE: head_dim is " + std::string(width) + "; it must be at least " +
              (*width == '1' ? "2" : "6") +
              ", since rotary positions rotate that many numbers per head");
  CHECK(errorOfConfig("gpt2", R"("head_dim": 5)").empty());
  CHECK(contains(errorOfConfig("llama", R"("rope_theta": 0)"), "it must be a number above 0"));
  CHECK(contains(errorOfConfig("llama", R"("rope_theta": "10")"), "E_TYPE"));
  CHECK(contains(errorOfConfig("llama", R"("rope_parameters": [])"), "it must be an object"));
  CHECK(contains(errorOfConfig("phi3", R"("partial_rotary_factor": 2)"), "at most 1"));
  CHECK(contains(errorOfConfig("gemma2", R"("query_pre_attn_scalar": -1)"), "above 0"));
  CHECK(contains(errorOfConfig("gemma2", R"("attn_logit_softcapping": 0)"), "above 0"));
  for (const char* layers : {"0", "-1", "1e3", "4294967296", "2000", "null", "\"2\""}) {
    INFO(layers);
    const std::string error = errorOf([&] {
      modelOf(std::string(R"({"model_type": "llama", "num_hidden_layers": )") + layers + "}");
    });
    CHECK(contains(error, "num_hidden_layers"));
  }
  CHECK(contains(errorOf([] { modelOf("[]"); }), "E_TYPE"));
  CHECK(contains(errorOf([] { modelOf("{}"); }), "model_type is missing"));
}

TEST_CASE("biases are those of the family's class, or as the configuration says", "[model]") {
  const auto biases = [](const std::string& type, const std::string& more = "") {
    const LayerBiases has = modelOf(config(type, more)).biases;
    return std::string(has.heads ? "h" : "-") + (has.output ? "o" : "-") +
           (has.feedForward ? "f" : "-");
  };
  const std::string attention = R"("attention_bias": true)";
  const std::string mlp = R"("mlp_bias": true)";
  // By the modules of transformers 5.24.0.
  for (const char* type : {"llama", "qwen3", "gemma2", "gemma3", "olmo2", "smollm3"}) {
    INFO(type);
    CHECK(biases(type) == "---");
    CHECK(biases(type, attention) == "ho-");
  }
  CHECK(biases("llama", mlp) == "--f");
  CHECK(biases("smollm3", mlp) == "--f");
  CHECK(biases("olmo2", mlp) == "---");
  CHECK(biases("mistral", attention) == "---");
  CHECK(biases("phi3", attention) == "---");
  CHECK(biases("qwen2") == "h--");
  CHECK(biases("gpt2") == "hof");
  CHECK(biases("bert") == "hof");
  CHECK(biases("gpt_neox") == "hof");
  CHECK(biases("gpt_neox", R"("attention_bias": false)") == "--f");
}

TEST_CASE("windows, chunks and the norms' epsilon are refused by their fields", "[model]") {
  for (const char* window : {"0", "-1"})
    CHECK(errorOfConfig("mistral",
                        R"("num_key_value_heads": 2, "sliding_window": )" + std::string(window)) ==
          "E_RANGE: sliding_window is " + std::string(window) +
              "; it must be an integer of at least 1");
  const std::string chunks = R"("num_key_value_heads": 2, "layer_types": ["full_attention",
      "chunked_attention", "full_attention", "full_attention"])";
  CHECK(errorOfConfig("gemma2", chunks) ==
        "E_TYPE: attention_chunk_size is missing; layers of this model need an integer");
  const Model model = modelOf(config("gemma2", chunks + R"(, "attention_chunk_size": 8)")).model;
  CHECK(toJson(model.layers[1].pattern)["params"]["block_size"] == 8);
  CHECK(errorOfConfig("llama", R"("rms_norm_eps": -1)") ==
        "E_RANGE: rms_norm_eps is -1; it must be a number of at least 0");
  CHECK(contains(errorOfConfig("gpt2", R"("layer_norm_epsilon": -1e-5)"), "layer_norm_epsilon is"));
}
