// attnx stack: models by name and by config.json, their list, and errors.
#include "tests/app/cli/run_cli.h"

#include <fstream>

namespace attention::cli {

using nlohmann::json;

TEST_CASE("a model by name has layers and a cache with the keys of the contract", "[cli]") {
  const Said said = attnx("stack gemma-3-4b --n 8192 --json");
  REQUIRE(said.code == 0);
  const json stack = said.json();
  REQUIRE(stack["layers"].size() == 34);
  CHECK(stack["layers"][0] ==
        json::parse(R"({"kind": "sliding_attention", "pattern": {"mechanism": "local",
                     "params": {"window": 1024, "causal": true}}})"));
  CHECK(stack["layers"][5] ==
        json::parse(R"({"kind": "full_attention", "pattern": {"mechanism": "causal",
                     "params": {}}})"));
  CHECK(stack["layer_types"].size() == 34);
  const Index wide = Index{4} * 512 * 2;
  CHECK(stack["kv_cache"]["bytes"] == wide * (29 * 1024 + 5 * 8192));
  CHECK(stack["kv_cache"]["bytes_per_token"] == wide * 34);
  CHECK(stack["kv_cache"]["layers"][0]["window"] == 1024);
  CHECK(attnx("stack gemma-3-4b --n 8192 --kv-policy full --kv-bytes 1 --json")
            .json()["kv_cache"]["bytes"] == wide / 2 * 34 * 8192);
}

TEST_CASE("as lines, alike layers are one line with their runs", "[cli]") {
  const std::string out = attnx("stack gemma-3-4b").out;
  CHECK(out.find("Gemma 3 4B: 34 layers, 8 query heads, 4 heads of keys and values, width 256, "
                 "context 131072\n") == 0);
  CHECK(out.find("0–4, 6–10, 12–16, … 30–33  29 ") != std::string::npos);
  CHECK(out.find("KV cache per token") != std::string::npos);
  CHECK(attnx("stack modernbert-base").out.find("an encoder keeps no KV cache") !=
        std::string::npos);
  CHECK(attnx("stack sparse-transformer-enwik8").out.find("KV cache: not known") !=
        std::string::npos);
}

TEST_CASE("the list names every model", "[cli]") {
  const json models = attnx("stack --list --json").json()["models"];
  CHECK(models.size() == 48);
  const std::string out = attnx("stack --list").out;
  for (const json& model : models) {
    INFO(model["name"]);
    CHECK(out.find(model["name"].get<std::string>()) != std::string::npos);
    const Said said = attnx("stack " + model["name"].get<std::string>());
    CHECK(said.code == 0);
    CHECK(said.err.empty());
  }
}

TEST_CASE("a config.json, or its folder, is read by the rules", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("config.json"))
      << R"({"model_type": "qwen2", "num_hidden_layers": 4, "use_sliding_window": true,
          "sliding_window": 4096, "max_window_layers": 2, "hidden_size": 64,
          "num_attention_heads": 4, "num_key_value_heads": 4})";
  for (const std::string& path : {folder.file("config.json"), folder.file("")}) {
    const Said said = attnx({"stack", path, "--json"});
    INFO(said.err);
    REQUIRE(said.code == 0);
    CHECK(said.json()["layer_types"] ==
          json{"full_attention", "full_attention", "sliding_attention", "sliding_attention"});
    CHECK(said.json()["kv_cache"]["bytes_per_token"] == 4 * 4 * 32 * 2);
  }
}

TEST_CASE("what is no model, no configuration or no length is refused", "[cli]") {
  const auto refused = [](const std::string& line, const std::string& words, int code = 2) {
    const Said said = attnx(line);
    INFO(line << ": " << said.err);
    CHECK(said.code == code);
    CHECK(said.out.empty());
    CHECK(said.err.find(words) != std::string::npos);
  };
  refused("stack", "stack takes one model");
  refused("stack gemma-3-4b gpt-oss-20b", "stack takes one model");
  refused("stack gema-3-4b",
          "E_UNKNOWN: model \"gema-3-4b\" is unknown; the nearest is gemma-3-4b");
  refused("stack none/config.json", "E_IO", 1);
  refused("stack gemma-3-4b --n 0", "E_N: n is 0");
  refused("stack gemma-3-4b --kv-bytes 0", "kv-bytes is 0");
  refused("stack gemma-3-4b --kv-policy some",
          "kv-policy is some; it must be windowed, full or step");
  refused("stack gemma-3-4b --list", "leave one of them out");
  const TemporaryFolder folder;
  std::ofstream(folder.file("config.json")) << R"({"num_hidden_layers": 3})";
  refused("stack " + folder.file("config.json"),
          "E_TYPE: " + folder.file("config.json") + ": model_type is missing");
  std::ofstream(folder.file("config.json"))
      << R"({"model_type": "llama", "num_hidden_layers": 3, "num_attention_heads": 1,
          "head_dim": 1152921504606846976})";
  refused("stack " + folder.file("config.json"), "E_RANGE: kv_cache is more than 2^63 bytes");
}

} // namespace attention::cli
