// attnx model tokens: texts, files, MODELs, and errors.
#include "tests/app/cli/run_cli.h"

#include <fstream>

namespace attention::cli {
namespace {

std::string tokenizerOf(const std::string& kind) {
  return std::string(ATTENTION_TEST_DATA) + "/golden/models/tokenizers/" + kind;
}

} // namespace

TEST_CASE("model tokens gives ids and pieces, with special tokens where asked", "[cli]") {
  const std::vector<std::string> words{"model",    "tokens",       tokenizerOf("llama3"),
                                       "--string", "Hello  world", "--json"};
  const Said said = attnx(words);
  REQUIRE(said.code == 0);
  const auto plain = said.json();
  CHECK(plain["ids"].size() == plain["pieces"].size());
  std::string joined;
  for (const auto& piece : plain["pieces"])
    joined += piece.get<std::string>();
  CHECK(joined == "HelloĠĠworld");
  std::vector<std::string> more = words;
  more.emplace_back("--special");
  const auto special = attnx(more).json();
  REQUIRE(special["ids"].size() == plain["ids"].size() + 1);
  CHECK(special["ids"][0] == 0);
  CHECK(special["pieces"][0] == "<|begin_of_text|>");
}

TEST_CASE("model tokens reads a file as it is, and any form of MODEL", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("t.txt"), std::ios::binary) << "\xEF\xBB\xBFhi\r\n";
  const std::string file = tokenizerOf("gpt2") + "/tokenizer.json";
  const Said fromFile = attnx({"model", "tokens", file, "--text", folder.file("t.txt"), "--json"});
  const Said fromText =
      attnx({"model", "tokens", tokenizerOf("gpt2"), "--string", "\xEF\xBB\xBFhi\r\n", "--json"});
  REQUIRE(fromFile.code == 0);
  CHECK(fromFile.out == fromText.out);
  const Said empty = attnx({"model", "tokens", file, "--string", "", "--json"});
  CHECK(empty.json() == nlohmann::json::parse(R"({"ids": [], "pieces": []})"));
}

TEST_CASE("model tokens prints an id and its piece on each line", "[cli]") {
  const Said said = attnx({"model", "tokens", tokenizerOf("gpt2"), "--string", "naïve café"});
  CHECK(said.code == 0);
  CHECK(said.out == "id   piece\n587  naÃ¯ve\n608  ĠcafÃ©\n");
}

TEST_CASE("what is wrong with model tokens is one sentence and exit code 1 or 2", "[cli]") {
  const TemporaryFolder folder;
  const std::string model = tokenizerOf("gpt2");
  const auto fails = [&](int code, const std::string& with, std::vector<std::string> words) {
    words.insert(words.begin(), "model");
    const Said said = attnx(words);
    INFO(said.err);
    CHECK(said.code == code);
    CHECK(said.out.empty());
    CHECK(said.err.starts_with("attnx: " + with));
  };
  fails(2, "E_TYPE: model", {});
  fails(2, "E_UNKNOWN: model \"token\" is unknown; the nearest is tokens", {"token", model});
  fails(2, "E_TYPE: model tokens takes one MODEL", {"tokens", "--string", "a"});
  fails(2, "E_TYPE: the text is missing", {"tokens", model});
  fails(2, "E_TYPE: both --text and --string", {"tokens", model, "--string", "a", "--text", "b"});
  fails(2, "E_TYPE: text is not UTF-8 at byte 1", {"tokens", model, "--string", "a\xFF"});
  std::ofstream(folder.file("latin.txt"), std::ios::binary) << "a\xE9";
  fails(2, "E_TYPE: " + folder.file("latin.txt") + " is not UTF-8 at byte 1",
        {"tokens", model, "--text", folder.file("latin.txt")});
  fails(1, "E_IO: ", {"tokens", folder.file("none"), "--string", "a"});
  fails(1, "E_IO: ", {"tokens", folder.file(""), "--string", "a"});
  fails(1, "E_IO: ", {"tokens", model, "--text", folder.file("none")});
}

} // namespace attention::cli
