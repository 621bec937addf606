// attnx model and attnx verify-model: answers, their JSON, and errors.
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "tests/app/cli/run_cli.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace attention::cli {
namespace {

using nlohmann::json;

const std::string kModels = std::string(ATTENTION_TEST_DATA) + "/golden/models/";

std::vector<std::string> words(const std::string& action, const std::string& model,
                               const std::vector<std::string>& more) {
  std::vector<std::string> all{"model", action, kModels + model};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string written(const TemporaryFolder& folder, const std::string& name,
                    const std::string& text) {
  std::ofstream(folder.file(name)) << text;
  return folder.file(name);
}

std::set<std::string> keysOf(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, ignored] : object.items())
    keys.insert(key);
  return keys;
}

} // namespace

TEST_CASE("model loss gives a row as it is and one for every variant", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.txt", "3 5 8\n13 21 34 55 89");
  const std::string variants = written(folder, "v.json", R"([{"name": "near", "rules":
      [{"layers": "1-2", "pattern": {"mechanism": "local", "params": {"window": 2, "causal": true}}}]}])");
  const Said said =
      attnx(words("loss", "llama", {"--ids", ids, "--variants", variants, "--along", "--json"}));
  INFO(said.err);
  REQUIRE(said.code == 0);
  const json answer = said.json();
  CHECK(answer["tokens"] == 8);
  REQUIRE(answer["rows"].size() == 2);
  CHECK(answer["rows"][0]["name"] == "as it is");
  CHECK(answer["rows"][1]["name"] == "near");
  for (const json& row : answer["rows"]) {
    CHECK(keysOf(row) == std::set<std::string>{"name", "pairs", "loss", "perplexity", "kl", "top1",
                                               "flops", "kv_bytes", "loss_by_position"});
    CHECK(row["loss_by_position"].size() == 7);
  }
  CHECK(answer["rows"][0]["pairs"] == 36);
  CHECK(answer["rows"][1]["pairs"] == (36 + 15 + 15) / 3.0);
  CHECK(answer["rows"][0]["kl"] == 0);
  CHECK(answer["rows"][1]["kl"] > 0);
  // Keys and values of 2 heads of width 16, 2 bytes: 8 tokens in three layers, 2 in two of them.
  CHECK(answer["rows"][0]["kv_bytes"] == 3 * 8 * 2 * 2 * 16 * 2);
  CHECK(answer["rows"][1]["kv_bytes"] == (8 + 2 + 2) * 2 * 2 * 16 * 2);
  const Said lines = attnx(words("loss", "llama", {"--ids", ids, "--n", "4"}));
  CHECK(lines.out.find("4 tokens") != std::string::npos);
  CHECK(lines.out.find("as it is") != std::string::npos);
}

TEST_CASE("model loss notes that a variant lets tokens of a decoder see later ones", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.txt", "3 5 8 13 21 34 55 89");
  const auto noted = [&](const std::string& model, const std::string& causal) {
    const std::string variants =
        written(folder, "v.json",
                R"([{"name": "near", "rules": [{"pattern": {"mechanism": "local",
            "params": {"window": 4, "causal": )" +
                    causal + "}}}]}]");
    const Said said = attnx(words("loss", model, {"--ids", ids, "--variants", variants}));
    CHECK(said.code == 0);
    return said.err;
  };
  CHECK(noted("llama", "false").find("note: under variant \"near\" tokens see later tokens") !=
        std::string::npos);
  CHECK(noted("llama", "true").empty());
  CHECK(noted("bert", "false").empty());
  const auto chosen = [&](const std::string& params) {
    const std::string variants =
        written(folder, "v.json", R"([{"name": "few", "rules": [{"pattern": {"mechanism": "topk",
            "params": )" + params + "}}]}]");
    return attnx(words("loss", "llama", {"--ids", ids, "--variants", variants})).err;
  };
  CHECK(chosen(R"({"k": 4})").find("note: under variant \"few\" tokens see later tokens") !=
        std::string::npos);
  CHECK(chosen(R"({"k": 4, "causal": true})").empty());
}

TEST_CASE("model loss notes that a text has fewer tokens than were asked for", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.txt", "3 5 8 13");
  const Said said = attnx(words("loss", "llama", {"--ids", ids, "--n", "5", "--json"}));
  CHECK(said.code == 0);
  CHECK(said.json()["tokens"] == 4);
  CHECK(said.err == "attnx: note: n is 5, but the text has only 4 tokens; all of them are taken\n");
  CHECK(attnx(words("loss", "llama", {"--ids", ids, "--n", "4"})).err.empty());
}

TEST_CASE("ids that are given get no special tokens", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.txt", "3 5 8 13");
  for (const char* action : {"loss", "run", "capture"}) {
    std::vector<std::string> flags{"--ids", ids, "--special"};
    if (action == std::string("capture"))
      flags.insert(flags.end(), {"-o", folder.file("c.safetensors")});
    const Said said = attnx(words(action, "llama", flags));
    CHECK(said.code == 2);
    CHECK(said.err == "attnx: E_TYPE: special is given with --ids, which are taken as they are; it "
                      "must be left out\n");
  }
}

TEST_CASE("an encoder has a change in place of a loss", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.json", "[3, 5, 8, 13]");
  const std::string variants = written(
      folder, "v.json",
      R"([{"name": "causal", "rules": [{"pattern": {"mechanism": "causal", "params": {}}}]}])");
  const json answer =
      attnx(words("loss", "bert", {"--ids", ids, "--variants", variants, "--json"})).json();
  CHECK(answer["rows"][0]["change"] == 0);
  CHECK(answer["rows"][1]["change"] > 0);
  CHECK(answer["rows"][1]["loss"].is_null());
  const Said lines = attnx(words("loss", "bert", {"--ids", ids}));
  CHECK(lines.out.find("change") != std::string::npos);
}

TEST_CASE("model run writes logits of the model and of a variant", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.json", "[3, 5, 8, 13, 21]");
  const std::string out = folder.file("o.npy");
  const Said said = attnx(words("run", "gguf/llama.gguf", {"--ids", ids, "-o", out, "--json"}));
  INFO(said.err);
  REQUIRE(said.code == 0);
  CHECK(said.json()["shape"] == json{5, 160});
  CHECK(said.json()["next"].size() == 5);
  const Matrix<float> own = slice<float>(readArrays(out).arrays[0].tensor);
  CHECK(own.rows() == 5);
  CHECK(own.cols() == 160);
  const std::string variants = written(
      folder, "v.json",
      R"([{"name": "self", "rules": [{"pattern": {"mechanism": "local", "params": {"window": 1, "causal": true}}}]}])");
  REQUIRE(attnx(words("run", "gguf/llama.gguf",
                      {"--ids", ids, "--variants", variants, "--variant", "self", "-o", out}))
              .code == 0);
  const Matrix<float> other = slice<float>(readArrays(out).arrays[0].tensor);
  CHECK(own(0, 0) == other(0, 0)); // the first token sees itself in both
  CHECK(own(4, 0) != other(4, 0));
  REQUIRE(attnx(words("run", "gguf/llama.gguf",
                      {"--ids", ids, "--variants", variants, "--variant", "as it is", "-o", out}))
              .code == 0);
  CHECK(slice<float>(readArrays(out).arrays[0].tensor) == own);
  CHECK(attnx(words("run", "llama", {"--ids", ids})).out.find("next") == 0);
  const Said states = attnx(words("run", "bert", {"--ids", ids, "-o", out, "--json"}));
  CHECK(states.json()["shape"] == json{5, 64});
  CHECK(states.json()["next"].is_null());
}

TEST_CASE("model capture writes what every command reads", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.json", "[3, 5, 8, 13, 21]");
  const std::string out = folder.file("c.safetensors");
  const Said said = attnx(words("capture", "qwen3", {"--ids", ids, "--layers", "0,2", "-o", out}));
  INFO(said.err);
  REQUIRE(said.code == 0);
  CHECK(said.out.empty());
  const auto layersWith = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--ids", ids, "--json", "-o", folder.file("d.safetensors")});
    return attnx(words("capture", "qwen3", more)).json()["layers"];
  };
  CHECK(layersWith({}) == json{0, 1, 2});
  CHECK(layersWith({"--layers", "2,0"}) == json{2, 0});
  const Said heads = attnx({"heads", "--input", out, "--json"});
  INFO(heads.err);
  REQUIRE(heads.code == 0);
  CHECK(heads.json()["rows"].size() == 2 * 4);
  CHECK(heads.json()["base"] == "causal");
}

TEST_CASE("ids as .npy are the integers of one text", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("i.npy");
  const auto loss = [&] { return attnx(words("loss", "llama", {"--ids", file, "--json"})); };
  const std::vector<std::int64_t> ids{3, 5, 8, 13, 21, 34};
  writeNpy<std::int64_t>(file, std::array<Index, 1>{6}, ids);
  const Said one = loss();
  CHECK(one.json()["tokens"] == 6);
  writeNpy<std::int64_t>(file, std::array<Index, 2>{1, 6}, ids);
  CHECK(loss().out == one.out);
  writeNpy<std::int64_t>(file, std::array<Index, 2>{2, 3}, ids);
  CHECK(loss().err == "attnx: E_SHAPE: " + file +
                          " has shape (2, 3); it must be (n,) or (1, n), the ids of one text\n");
  writeNpy<std::uint8_t>(file, std::array<Index, 1>{2}, std::vector<std::uint8_t>{1, 0});
  CHECK(loss().err == "attnx: E_TYPE: " + file + " has dtype bool; it must be an integer\n");
}

TEST_CASE("ids keep the pieces that they have, and a broken tokenizer is no missing one", "[cli]") {
  const TemporaryFolder folder;
  std::filesystem::copy(kModels + "llama", folder.file(""));
  const std::string ids = written(folder, "ids.json", "[3, 5, 100, 8]");
  const std::string out = folder.file("c.safetensors");
  const auto captured = [&] {
    return attnx({"model", "capture", folder.file(""), "--ids", ids, "-o", out});
  };
  REQUIRE(captured().code == 0);
  CHECK_FALSE(readArrays(out).metadata.contains("tokens"));
  written(folder, "tokenizer.json", R"({"version": "1.0", "added_tokens": [], "normalizer": null,
      "pre_tokenizer": null, "post_processor": null, "model": {"type": "BPE", "unk_token": "?",
      "merges": [["a", "b"], ["ab", "c"]], "vocab": {"?": 0, "a": 1, "b": 2, "c": 3, "ab": 4,
      "abc": 5, " ": 6, "-": 7, "A": 8}}})");
  REQUIRE(captured().code == 0);
  CHECK(json::parse(readArrays(out).metadata.at("tokens")) == json{"c", "abc", "", "A"});
  written(folder, "tokenizer.json", R"({"model": {"type": "none"}})");
  const Said broken = captured();
  CHECK(broken.code == 2);
  CHECK(broken.err.find("tokenizer.json") != std::string::npos);
}

TEST_CASE("verify-model says how far every array is off, and fails where one is", "[cli]") {
  const Said said = attnx({"verify-model", kModels + "gemma2"});
  CHECK(said.code == 0);
  for (const char* line : {"pass hidden  largest deviation ", "pass attention", "pass logits",
                           "pass loss", "4 passed, 0 failed\n"})
    CHECK(said.out.find(line) != std::string::npos);
  const TemporaryFolder folder;
  std::filesystem::copy(kModels + "llama", folder.file(""));
  std::filesystem::remove(folder.file("expected.safetensors"));
  std::filesystem::copy(kModels + "mistral/expected.safetensors", folder.file(""));
  const Said wrong = attnx({"verify-model", folder.file("")});
  CHECK(wrong.code == 1);
  CHECK(wrong.out.find("FAIL hidden") != std::string::npos);
}

TEST_CASE("what model cannot do is refused in one sentence", "[cli]") {
  const TemporaryFolder folder;
  const std::string ids = written(folder, "ids.json", "[3, 5]");
  const auto refused = [](const std::vector<std::string>& line, const std::string& text,
                          int code = 2) {
    const Said said = attnx(line);
    INFO(said.err);
    CHECK(said.code == code);
    CHECK(said.out.empty());
    CHECK(said.err.starts_with("attnx: " + text));
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  };
  refused({"model"}, "E_TYPE: model needs an action (tokens, loss, run or capture) and a MODEL");
  refused({"model", "los", kModels + "llama"},
          "E_UNKNOWN: model \"los\" is unknown; the nearest is loss");
  refused({"model", "loss"}, "E_TYPE: model loss takes one MODEL");
  refused({"model", "loss", "nothing.gguf", "--ids", ids},
          "E_IO: model \"nothing.gguf\" was not found", 1);
  refused(words("loss", "llama", {}), "E_TYPE: the text is missing");
  refused(words("loss", "llama", {"--ids", ids, "--string", "a"}),
          "E_TYPE: both --string and --ids are given");
  refused(words("loss", "llama", {"--ids", ids, "--layers", "1"}),
          "E_UNKNOWN: flag --layers is unknown to model loss");
  refused(words("loss", "llama", {"--ids", ids, "--n", "0"}), "E_N: n is 0");
  refused(words("loss", "llama", {"--ids", written(folder, "a.txt", "3 x")}), "E_TYPE: ");
  refused(words("loss", "llama", {"--ids", written(folder, "b.json", "[]")}), "E_TYPE: ");
  refused(words("loss", "llama", {"--ids", written(folder, "c.json", "[500]")}),
          "E_RANGE: the token id at position 0 is 500; it must be from 0 to 159");
  refused(words("run", "llama", {"--ids", ids, "--variant", "a"}),
          "E_TYPE: variants is missing; it must be given with --variant");
  refused(words("run", "bert", {"--ids", ids}), "E_TYPE: output is missing");
  refused(words("run", "llama", {"--ids", ids, "-o", folder.file("a.csv")}), "E_UNSUPPORTED: ");
  refused(words("capture", "llama", {"--ids", ids}), "E_TYPE: output is missing");
  refused(words("capture", "llama",
                {"--ids", ids, "--layers", "3", "-o", folder.file("a.safetensors")}),
          "E_RANGE: layers is \"3\"");
  refused(words("capture", "llama",
                {"--ids", ids, "--layers", "0,0", "-o", folder.file("a.safetensors")}),
          "E_RANGE: layers names 0 twice");
  refused(words("capture", "llama",
                {"--ids", ids, "--dtype", "float17", "-o", folder.file("a.safetensors")}),
          "E_RANGE: dtype is float17; it must be float32 or float16");
  refused(words("loss", "llama",
                {"--ids", ids, "--variants", written(folder, "v.json", "[{\"nam\": 1}]")}),
          "E_UNKNOWN: ");
  refused({"verify-model"}, "E_TYPE: verify-model takes one folder");
  refused({"verify-model", folder.file("")}, "E_IO: ", 1);
}

} // namespace attention::cli
