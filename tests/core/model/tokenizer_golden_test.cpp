// Tokenizers against the libraries that define their formats.
#include "tests/core/model/golden_tokens.h"

#include <cstdlib>

using namespace attention;
using namespace attention::test;

namespace {

namespace fs = std::filesystem;

// Where tools/get_model.sh brings it.
fs::path smollm2() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const fs::path folder = data   ? fs::path(data)
                          : home ? fs::path(home) / ".local/share"
                                 : fs::path(".");
  return folder / "attention-explorer/models/SmolLM2-135M-Instruct.Q4_1.gguf";
}

} // namespace

TEST_CASE("a tokenizer.json gives the ids and pieces of the library tokenizers", "[model]") {
  int kinds = 0;
  for (const auto& folder : fs::directory_iterator(goldenModels() / "tokenizers")) {
    INFO(folder.path().filename().string());
    checkTokens(*openTokenizer(folder.path()), jsonOf(folder.path() / "expected.json"));
    ++kinds;
  }
  CHECK(kinds >= 13);
}

TEST_CASE("a tokenizer.model gives the ids and pieces of SentencePiece", "[model]") {
  for (const std::string name : {"bpe", "unigram"}) {
    INFO(name);
    const fs::path folder = goldenModels() / "sentencepiece";
    checkTokens(*openTokenizer(folder / (name + ".model")), jsonOf(folder / (name + ".json")));
  }
}

TEST_CASE("SmolLM2's GGUF file gives the ids of its tokenizer", "[model]") {
  const auto expected = jsonOf(goldenModels() / "smollm2/tokens.json");
  CHECK(expected.size() == 18);
  if (!fs::exists(smollm2())) {
    WARN("skipped: " << smollm2().string() << " is not there; tools/get_model.sh brings it");
    return;
  }
  const auto tokenizer = openTokenizer(smollm2());
  CHECK(tokenizer->vocabulary() == 49152);
  CHECK(tokenizer->piece(1) == "<|im_start|>");
  checkTokens(*tokenizer, expected);
}

TEST_CASE("a megabyte without a space is cut in time that grows like its length", "[model]") {
  std::string text;
  while (text.size() < 1'000'000)
    text += "itisatruthuniversallyacknowledged";
  for (const char* kind : {"llama2", "llama3", "unigram"}) {
    INFO(kind);
    const Encoding tokens =
        openTokenizer(goldenModels() / "tokenizers" / kind)->encode(text, false);
    CHECK(tokens.ids.size() > 100'000);
    CHECK(tokens.ids.size() < text.size());
  }
  const Encoding spaces = openTokenizer(goldenModels() / "tokenizers/llama3")
                              ->encode(std::string(1'000'000, ' '), false);
  CHECK(spaces.ids.size() == 1'000'000);
}
