// Stacks of real models: every row of the table makes sense, rules of config.json, KV caches that
// were published.
#include "core/analysis/stack/models.h"
#include "core/pattern/pattern_json.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <set>

using namespace attention;

namespace {

using Json = nlohmann::json;

std::string kindsOf(const Stack& stack) {
  std::string letters;
  for (const StackLayer& layer : stack.layers)
    letters += layer.kind.front();
  return letters;
}

std::string kindsOf(const std::string& config) {
  return kindsOf(stackFromConfig(Json::parse(config)));
}

Index bytesOf(const std::string& name, Index n, KvPolicy policy = KvPolicy::Windowed) {
  return kvBytes(modelNamed(name), {n, 2, policy}).value();
}

} // namespace

TEST_CASE("every model of the table has layers whose masks can be prepared", "[stack]") {
  std::set<std::string> names;
  for (const ModelRow& row : modelTable()) {
    INFO(row.name);
    CHECK(names.insert(std::string(row.name)).second);
    CHECK(row.name.find_first_of("_ ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos);
    CHECK_FALSE(row.source.empty());
    const Stack stack = modelNamed(row.name);
    REQUIRE(std::ssize(stack.layers) == row.layers);
    for (const StackLayer& layer : stack.layers)
      if (!layer.pattern.is_null() && !needsData(patternFromJson(layer.pattern)))
        CHECK(prepare(patternFromJson(layer.pattern), squareLengths(192))->pairs() > 0);
  }
}

TEST_CASE("rules and table agree on the layers of a model", "[stack]") {
  const auto same = [](const std::string& name, const std::string& config) {
    const Stack table = modelNamed(name);
    const Stack rule = stackFromConfig(Json::parse(config));
    REQUIRE(table.layers.size() == rule.layers.size());
    for (std::size_t k = 0; k < rule.layers.size(); ++k) {
      INFO(name << ", layer " << k);
      CHECK(table.layers[k].pattern == rule.layers[k].pattern);
    }
  };
  same("gemma-3-4b", R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
       "num_hidden_layers": 34, "sliding_window": 1024}})");
  same("gemma-2-9b", R"({"model_type": "gemma2", "num_hidden_layers": 42})");
  same("gpt-oss-20b", R"({"model_type": "gpt_oss", "num_hidden_layers": 24})");
  same("mistral-7b-v0.1",
       R"({"model_type": "mistral", "num_hidden_layers": 32, "sliding_window": 4096})");
  same("mixtral-8x7b",
       R"({"model_type": "mixtral", "num_hidden_layers": 32, "sliding_window": null})");
  same("llama-4-scout", R"({"model_type": "llama4_text", "num_hidden_layers": 48})");
  same("modernbert-base", R"({"model_type": "modernbert", "num_hidden_layers": 22})");
  same("jamba-v0.1", R"({"model_type": "jamba", "num_hidden_layers": 32})");
  same("recurrentgemma-2b", R"({"model_type": "recurrent_gemma", "num_hidden_layers": 26})");
  same("gpt-neo-1.3b", R"({"model_type": "gpt_neo", "num_layers": 24})");
  same("qwen3-next-80b", R"({"model_type": "qwen3_next", "num_hidden_layers": 48})");
  same("olmo-3-7b", R"({"model_type": "olmo3", "num_hidden_layers": 32, "sliding_window": 4096})");
  same("deepseek-v3.2", R"({"model_type": "deepseek_v32", "num_hidden_layers": 61})");
  same("exaone-4.0-32b", R"({"model_type": "exaone4", "num_hidden_layers": 64,
       "sliding_window": 4096, "sliding_window_pattern": "LLLG"})");
  same(
      "gemma-4-e2b", R"({"model_type": "gemma4_text", "num_hidden_layers": 35, "layer_types": [)" +
                         [] {
                           std::string types;
                           for (int k = 0; k < 35; ++k)
                             types += std::string(k == 0 ? "" : ", ") +
                                      (k % 5 == 4 ? "\"full_attention\"" : "\"sliding_attention\"");
                           return types;
                         }() +
                         "]}");
}

TEST_CASE("fields go by the names that a model's class gives them", "[stack]") {
  const auto sizes = [](const std::string& config) {
    const Stack stack = stackFromConfig(Json::parse(config));
    const KvLayer& cache = stack.layers.front().cache;
    return std::vector<Index>{std::ssize(stack.layers), stack.heads.value_or(0),
                              cache.kvHeads.value_or(0), cache.headDim.value_or(0),
                              stack.context.value_or(0)};
  };
  using Sizes = std::vector<Index>;
  CHECK(sizes(R"({"model_type": "mpt", "d_model": 96, "n_heads": 6, "n_layers": 3,
        "max_seq_len": 64, "attn_config": {"kv_n_heads": 2}})") ==
        Sizes{3, 6, 6, 16, 64}); // a field that its class does not have
  CHECK(sizes(R"({"model_type": "dbrx", "d_model": 96, "n_heads": 6, "n_layers": 3,
        "max_seq_len": 64, "attn_config": {"kv_n_heads": 3}})") == Sizes{3, 6, 3, 16, 64});
  CHECK(sizes(R"({"model_type": "dbrx", "d_model": 96, "n_heads": 6, "n_layers": 3})")[2] == 1);
  CHECK(sizes(R"({"model_type": "bart", "d_model": 96, "encoder_layers": 4, "decoder_layers": 2,
        "encoder_attention_heads": 6, "decoder_attention_heads": 3})") == Sizes{4, 6, 6, 16, 0});
  CHECK(sizes(R"({"model_type": "distilbert", "dim": 96, "n_heads": 6, "n_layers": 3,
        "max_position_embeddings": 512})") == Sizes{3, 6, 6, 16, 512});
  CHECK(sizes(R"({"model_type": "t5", "d_model": 96, "num_heads": 6, "num_layers": 3,
        "d_kv": 32})") == Sizes{3, 6, 6, 32, 0});
  CHECK(sizes(R"({"model_type": "udop", "d_model": 96, "num_heads": 6, "num_layers": 3,
        "d_kv": 32})")[3] == 32);
  for (const char* older : {"bloom", "falcon"})
    CHECK(sizes(R"({"model_type": ")" + std::string(older) +
                R"(", "hidden_size": 64, "n_embed": 96, "n_head": 6, "n_layer": 3})")[3] == 16);
  CHECK(sizes(R"({"model_type": "llama", "hidden_size": 96, "n_embed": 64,
        "num_attention_heads": 6, "num_hidden_layers": 3})")[3] == 16);
  CHECK(sizes(R"({"model_type": "xglm", "d_model": 96, "attention_heads": 6,
        "num_layers": 3})") == Sizes{3, 6, 6, 16, 0});
  CHECK(codeAndSubject([&] {
          sizes(R"({"model_type": "dbrx", "n_layers": 3, "attn_config": 5})");
        }) == "E_TYPE attn_config");
}

TEST_CASE("Kimi's layers with full attention are the 4th, the 8th … and the last", "[stack]") {
  const Stack kimi = modelNamed("kimi-linear-48b");
  std::vector<int> full; // from 1
  for (std::size_t k = 0; k < kimi.layers.size(); ++k)
    if (kimi.layers[k].kind == "full_attention")
      full.push_back(static_cast<int>(k) + 1);
  CHECK(full == std::vector<int>{4, 8, 12, 16, 20, 24, 27});
}

TEST_CASE("lists in a configuration win over the rule of its model", "[stack]") {
  CHECK(kindsOf(R"({"model_type": "gemma2", "num_hidden_layers": 3,
        "layer_types": ["full_attention", "mamba", "attention"]})") == "flf");
  CHECK(kindsOf(R"({"model_type": "mistral", "num_hidden_layers": 2, "sliding_window": null,
        "layer_types": ["sliding_attention", "sliding_attention"]})") == "ff");
  CHECK(kindsOf(R"({"model_type": "other", "num_hidden_layers": 3,
        "attn_type_list": [0, 1, 0]})") == "lfl");
  // Those that are no configuration say why.
  CHECK(codeAndSubject([] {
          kindsOf(R"({"model_type": "gemma2", "num_hidden_layers": 3,
        "layer_types": ["full_attention"]})");
        }) == "E_SHAPE layer_types");
  CHECK(codeAndSubject([] { kindsOf(R"({"num_hidden_layers": 3})"); }) == "E_TYPE model_type");
  CHECK(codeAndSubject([] { kindsOf(R"({"model_type": "gemma2"})"); }) ==
        "E_TYPE num_hidden_layers");
  CHECK(codeAndSubject([] { kindsOf(R"([1])"); }) == "E_TYPE the configuration");
  CHECK(codeAndSubject([] { kindsOf(R"({"model_type": "gemma2", "num_hidden_layers": 1e9})"); }) ==
        "E_TYPE num_hidden_layers");
  CHECK(codeAndSubject([] {
          kindsOf(R"({"model_type": "gemma2", "num_hidden_layers": 1000000000})");
        }) == "E_RANGE num_hidden_layers");
}

TEST_CASE("KV caches have the sizes that were published", "[stack]") {
  CHECK(bytesOf("qwen2.5-72b", 1) == 327680);
  CHECK(bytesOf("mistral-7b-v0.1", 262144, KvPolicy::Full) == Index{32} << 30);
  CHECK(bytesOf("mistral-7b-v0.1", 262144) == Index{4096} * 32 * 8 * 256 * 2);
  CHECK(bytesOf("mistral-7b-v0.1", 262144, KvPolicy::Step) == Index{4095} * 32 * 8 * 256 * 2);
  CHECK(bytesOf("jamba-v0.1", 262144) == Index{4} << 30);
  CHECK(bytesOf("gpt-oss-120b", 131072) == 4836556800);
  CHECK(bytesOf("deepseek-v3.2", 1) == 70272);
  // 20 of 35 layers use the keys of others: of the 15 left, 3 are full and twice as wide.
  CHECK(bytesOf("gemma-4-e2b", 1) == (12 * 512 + 3 * 1024) * 2);
  CHECK_FALSE(kvBytes(modelNamed("modernbert-base"), {}));
  CHECK_FALSE(kvBytes(modelNamed("sparse-transformer-enwik8"), {}));
}

TEST_CASE("choices in the text of a pattern have no quotes, formulas do", "[stack]") {
  const auto text = [](const char* pattern) {
    return mechanismText(nlohmann::ordered_json::parse(pattern));
  };
  CHECK(
      text(
          R"({"mechanism": "strided", "params": {"stride": 8, "head": "union", "causal": true}})") ==
      "strided, stride 8, head union, causal");
  CHECK(text(R"({"mechanism": "expr", "params": {"expr": "i - j < 3", "causal": false}})") ==
        R"(expr, expr "i - j < 3")");
}

TEST_CASE("widths come from a configuration", "[stack]") {
  const auto bytes = [](const std::string& config) {
    return kvBytes(stackFromConfig(Json::parse(config)), {1, 2, KvPolicy::Windowed});
  };
  CHECK(bytes(R"({"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096,
        "num_attention_heads": 32, "num_key_value_heads": 8})") == 131072); // Llama-3-8B
  CHECK(bytes(R"({"model_type": "gpt2", "n_layer": 48, "n_head": 25, "n_embd": 1600})") == 307200);
  CHECK(bytes(R"({"model_type": "deepseek_v3", "num_hidden_layers": 61, "kv_lora_rank": 512,
        "qk_rope_head_dim": 64})") == 70272);
  CHECK_FALSE(bytes(R"({"model_type": "llama", "num_hidden_layers": 2})"));
  CHECK(codeAndSubject([&] {
          bytes(R"({"model_type": "llama", "num_hidden_layers": 2, "head_dim": 4611686018427387904,
                "num_key_value_heads": 8})");
        }) == "E_RANGE kv_cache");
}

TEST_CASE("models are found however their names are joined; others get the nearest", "[stack]") {
  CHECK(modelNamed("Gemma 3 4B").name == "gemma-3-4b");
  CHECK(messageOf([] { modelNamed("gemma-3-5b"); }).find("the nearest is gemma-3-") !=
        std::string::npos);
  CHECK(codeOf([] { modelNamed("zzzzzzzzzzzzzzzzzzzz"); }) == "E_UNKNOWN");
}

TEST_CASE("layers that do not exist or have no mask are refused", "[stack]") {
  const Stack kimi = modelNamed("kimi-linear-48b");
  CHECK(patternOfLayer(kimi, 3) == patternNamed("causal"));
  CHECK(messageOf([&] { patternOfLayer(kimi, 0); }) ==
        "layer 0 of Kimi Linear 48B is linear_attention, for which there is no mask");
  CHECK(messageOf([&] { patternOfLayer(kimi, 27); }) == "layer is 27; it must be from 0 to 26");
}

TEST_CASE("fields that a config leaves out have the defaults of its class", "[stack]") {
  const auto bytes = [](const std::string& config, Index n) {
    return kvBytes(stackFromConfig(Json::parse(config)), {n, 2, KvPolicy::Windowed});
  };
  // Gemma 3 4B's own file says no more than this of its text model.
  const std::string own = R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
      "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024}})";
  CHECK(bytes(own, 8192) == bytesOf("gemma-3-4b", 8192));
  CHECK(stackFromConfig(Json::parse(own)).heads == 8);
  const auto widths = [](const std::string& config) {
    const Stack stack = stackFromConfig(Json::parse(config));
    const auto layer = std::find_if(stack.layers.begin(), stack.layers.end(),
                                    [](const StackLayer& l) { return keepsKeys(l.kind); });
    return std::pair(layer->cache.kvHeads, layer->cache.headDim);
  };
  using Widths = std::pair<std::optional<Index>, std::optional<Index>>;
  const auto of = [&](const std::string& model, const std::string& more) {
    return widths(R"({"model_type": ")" + model + R"(", "num_hidden_layers": 6)" + more + "}");
  };
  CHECK(of("gpt_oss", "") == Widths(8, 64));
  CHECK(of("olmo3", R"(, "num_attention_heads": 16)") == Widths(16, 256)); // 4096 / 16
  CHECK(of("exaone4", R"(, "num_attention_heads": 64)") == Widths(32, 64));
  CHECK(of("exaone4", R"(, "num_key_value_heads": null)") == Widths(32, 128));
  CHECK(of("cohere2", "") == Widths(64, 128));
  CHECK(of("recurrent_gemma", "") == Widths(10, 256));
  CHECK(of("mistral", R"(, "hidden_size": 512, "num_attention_heads": 16)") == Widths(8, 32));
  CHECK(of("mistral", R"(, "num_key_value_heads": null)") == Widths(32, 128));
  CHECK(of("ministral", "") == Widths(8, 128));
  CHECK(of("mixtral", "") == Widths(8, 128));
  CHECK(of("glm4", R"(, "hidden_size": 512, "num_attention_heads": 16)") == Widths(2, 128));
  CHECK(of("starcoder2", "") == Widths(2, 128));
  CHECK(of("qwen3", R"(, "num_key_value_heads": 4, "hidden_size": 512)") == Widths(4, 128));
  CHECK(of("falcon", R"(, "hidden_size": 512, "num_attention_heads": 8)") == Widths(1, 64));
  CHECK(of("falcon", R"(, "hidden_size": 512, "num_attention_heads": 8, "multi_query": false)") ==
        Widths(8, 64));
  CHECK(of("falcon", R"(, "hidden_size": 512, "num_attention_heads": 8, "num_kv_heads": 2,
            "new_decoder_architecture": true)") == Widths(2, 64));
  CHECK(of("gpt_bigcode", R"(, "n_embd": 512, "n_head": 8)") == Widths(1, 64));
  CHECK(of("t5", R"(, "d_model": 96, "num_heads": 6)") == Widths(6, 64)); // not 96 / 6
  CHECK(of("umt5", "") == Widths(6, 64));
  CHECK(of("pop2piano", "") == Widths(8, 64));
  CHECK(of("pix2struct_text_model", "") == Widths(12, 64));
  CHECK(of("udop", "") == Widths(16, 64));
  CHECK(of("unknown", "") == Widths()); // not among them
  const Stack shared =
      stackFromConfig(Json::parse(R"({"model_type": "gemma3n_text", "num_hidden_layers": 35})"));
  CHECK_FALSE(shared.layers[19].cache.shared);
  CHECK(shared.layers[20].cache.shared); // the last 15
}

TEST_CASE("layers do not slide where a config leaves out the window, and the source says so",
          "[stack]") {
  const auto kinds = [](const std::string& model, const std::string& more) {
    return kindsOf(R"({"model_type": ")" + model + R"(", "num_hidden_layers": 4)" + more + "}");
  };
  const auto sourceOf = [](const std::string& model, const std::string& more) {
    return stackFromConfig(Json::parse(R"({"model_type": ")" + model +
                                       R"(", "num_hidden_layers": 4)" + more + "}"))
        .source;
  };
  for (const char* model : {"mistral", "ministral", "exaone4"}) {
    CHECK(kinds(model, "") == "ffff");
    CHECK(kinds(model, R"(, "sliding_window": null)") == "ffff");
    CHECK(sourceOf(model, "") == "config.json without sliding_window, which is taken as none; "
                                 "transformers 5.24.0 takes 4096");
    CHECK(sourceOf(model, R"(, "sliding_window": null)") ==
          "config.json, read as transformers 5.24.0 reads it");
  }
  CHECK(kinds("mixtral", "") == "ffff");
  CHECK(kinds("llama", R"(, "sliding_window": 8)") == "ssss");
  CHECK(sourceOf("llama", R"(, "sliding_window": 8)") ==
        "config.json; its sliding_window is taken as the window of every layer");
  // Qwen2-MoE's own files say 0 where no layer slides.
  CHECK(kinds("qwen2_moe", R"(, "use_sliding_window": false, "sliding_window": 0)") == "ffff");
}

TEST_CASE("models without attention have linear layers and no cache", "[stack]") {
  for (const char* model : {"mamba", "mamba2", "falcon_mamba", "rwkv", "xlstm"}) {
    const Stack stack =
        stackFromConfig({{"model_type", model}, {"num_hidden_layers", 2}, {"num_heads", 8}});
    CHECK(kindsOf(stack) == "ll");
    CHECK(kvBytes(stack, {1024, 2, KvPolicy::Windowed}) == 0);
    CHECK_FALSE(stack.heads);
  }
  CHECK(
      kindsOf(R"({"model_type": "bamba", "num_hidden_layers": 4, "attn_layer_indices": [1, 3]})") ==
      "lflf");
  CHECK(kindsOf(R"({"model_type": "bamba", "num_hidden_layers": 2})") == "ll");
}

TEST_CASE("sizes below 1 in a config are refused", "[stack]") {
  const auto refused = [](const std::string& field) {
    return codeOf([&] {
      stackFromConfig(
          Json::parse(R"({"model_type": "mistral", "num_hidden_layers": 2, )" + field + "}"));
    });
  };
  for (const char* name : {"sliding_window", "num_attention_heads", "num_key_value_heads",
                           "head_dim", "hidden_size", "kv_lora_rank", "v_head_dim"})
    for (const char* value : {"-4", "0"}) {
      INFO(name << " " << value);
      CHECK(refused("\"" + std::string(name) + "\": " + value) == "E_RANGE");
    }
  CHECK(refused(R"("num_kv_shared_layers": -1)") == "E_RANGE");
  CHECK(refused(R"("sliding_window": null)") == "none");
}

TEST_CASE("a model's name without its joints suggests the nearest", "[stack]") {
  const auto said = [](const std::string& name) {
    try {
      modelNamed(name);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(said("gemma3") == "model \"gemma3\" is unknown; the nearest is gemma-3-1b");
  CHECK(said("mistral7b").find("the nearest is mistral-7b-v0.1") != std::string::npos);
  CHECK(said("xyzzyxyzzy").find("attnx stack --list") != std::string::npos);
}

TEST_CASE("chunks without a size have the usual one", "[stack]") {
  const Stack stack = stackFromConfig(
      {{"model_type", "gemma2"}, {"num_hidden_layers", 1}, {"layer_types", {"chunked_attention"}}});
  CHECK(stack.layers[0].pattern["params"]["block_size"] == 8192);
  CHECK(stack.layers[0].cache.window == Index{8192});
}

TEST_CASE("a configuration of an encoder without a rule says how it is read", "[stack]") {
  const auto sourceOf = [](const char* type) {
    return stackFromConfig({{"model_type", type}, {"num_hidden_layers", 2}}).source;
  };
  CHECK(sourceOf("bert") == "config.json; bert is an encoder; there is no rule for its layers, so "
                            "they are taken as causal");
  for (const char* encoder : {"xlnet", "esm", "wav2vec2", "siglip_vision_model", "funnel"})
    CHECK(sourceOf(encoder).find(std::string(encoder) + " is an encoder") != std::string::npos);
  for (const char* known : {"llama", "mixtral", "qwen3", "gemma3_text", "mamba"})
    CHECK(sourceOf(known) == "config.json, read as transformers 5.24.0 reads it");
  for (const char* pair : {"t5", "udop", "pop2piano"})
    CHECK(sourceOf(pair) == "config.json; " + std::string(pair) +
                                " has an encoder and a decoder; there is no rule for their "
                                "layers, so only the encoder's layers are listed, as causal");
  CHECK(sourceOf("zamba9") == "config.json; there is no rule for \"zamba9\", so all its layers are "
                              "taken as full causal attention");
  CHECK(stackFromConfig({{"model_type", "zamba9"},
                         {"num_hidden_layers", 2},
                         {"layer_types", {"full_attention", "mamba"}}})
            .source == "config.json, read as transformers 5.24.0 reads it");
}
