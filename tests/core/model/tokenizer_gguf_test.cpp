// Tokenizers from the keys of a GGUF file.
#include "core/model/tokenizer_gguf.h"

#include "core/model/tokenizer.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

using namespace attention;

namespace {

using Pieces = std::vector<std::string>;
using Ids = std::vector<Index>;

GgufFile fileOf(const std::string& model, const Pieces& pieces, const Ids& types,
                const std::vector<double>& scores = {}) {
  GgufFile file;
  file.file = "m.gguf";
  file.metadata["tokenizer.ggml.model"] = model;
  file.metadata["tokenizer.ggml.tokens"] = pieces;
  file.metadata["tokenizer.ggml.token_type"] = types;
  if (!scores.empty())
    file.metadata["tokenizer.ggml.scores"] = scores;
  return file;
}

Encoding tokensOf(const GgufFile& file, const std::string& text, bool special = false) {
  return Tokenizer(tokenizerFromGguf(file)).encode(text, special);
}

std::string problemOf(const GgufFile& file) {
  return codeAndSubject([&] { tokenizerFromGguf(file); });
}

GgufFile sentencePiece() {
  GgufFile file =
      fileOf("llama", {"<unk>", "<s>", "</s>", "▁", "a", "b", "ab", "▁ab", "<0xC3>", "<0xA9>"},
             {2, 3, 3, 1, 1, 1, 1, 1, 6, 6}, {0, 0, 0, -3, -4, -5, -1, -2, 0, 0});
  file.metadata["tokenizer.ggml.bos_token_id"] = Index{1};
  file.metadata["tokenizer.ggml.eos_token_id"] = Index{2};
  file.metadata["tokenizer.ggml.unknown_token_id"] = Index{0};
  return file;
}

} // namespace

TEST_CASE("scores of a GGUF file merge the best whole first, and bytes stand in", "[model]") {
  GgufFile file = sentencePiece();
  CHECK(tokensOf(file, "ab ab").pieces == Pieces{"▁ab", "▁ab"});
  CHECK(tokensOf(file, "aab").pieces == Pieces{"▁", "a", "ab"});
  CHECK(tokensOf(file, "é").pieces == Pieces{"▁", "<0xC3>", "<0xA9>"});
  CHECK(tokensOf(file, "xy").pieces == Pieces{"▁", "<unk>"});
  CHECK(tokensOf(file, "ab</s>", true).ids == Ids{1, 7, 2});
  file.metadata["tokenizer.ggml.add_space_prefix"] = false;
  file.metadata["tokenizer.ggml.add_eos_token"] = true;
  CHECK(tokensOf(file, "ab", true).ids == Ids{1, 6, 2});
}

TEST_CASE("merges of a GGUF file work on bytes as letters", "[model]") {
  GgufFile file = fileOf("gpt2", {"<|end|>", "a", "b", "Ġ", "Ġa", "1", "2"}, {3, 1, 1, 1, 1, 1, 1});
  file.metadata["tokenizer.ggml.merges"] = Pieces{"Ġ a"};
  file.metadata["tokenizer.ggml.pre"] = std::string("smollm");
  CHECK(tokensOf(file, "a a12<|end|>b").pieces == Pieces{"a", "Ġa", "1", "2", "<|end|>", "b"});
  file.metadata["tokenizer.ggml.pre"] = std::string("some-rules");
  CHECK(problemOf(file) == "E_UNSUPPORTED m.gguf: tokenizer.ggml.pre");
  file.metadata["tokenizer.ggml.pre"] = std::string("qwen2");
  file.metadata["tokenizer.ggml.merges"] = Pieces{"b Ġ"};
  CHECK(problemOf(file) == "E_UNKNOWN m.gguf: tokenizer.ggml.merges");
}

TEST_CASE("every name of rules in GGUF files has expressions that compile", "[model]") {
  for (const char* name : {"gpt-2", "smollm", "llama-bpe", "dbrx", "qwen2", "gpt-4o"}) {
    INFO(name);
    CHECK_FALSE(ggufWordRules(name, "pre").splitters.empty());
  }
}

TEST_CASE("pieces of BERT in a GGUF file are WordPiece again", "[model]") {
  GgufFile file =
      fileOf("bert", {"[UNK]", "[CLS]", "[SEP]", "▁the", "re", "▁."}, {3, 3, 3, 1, 1, 1});
  file.metadata["tokenizer.ggml.cls_token_id"] = Index{1};
  file.metadata["tokenizer.ggml.seperator_token_id"] = Index{2};
  const Encoding tokens = tokensOf(file, "There. X", true);
  CHECK(tokens.pieces == Pieces{"[CLS]", "the", "##re", ".", "[UNK]", "[SEP]"});
  CHECK(tokens.ids == Ids{1, 3, 4, 5, 0, 2});
}

TEST_CASE("scores of a unigram model choose the best pieces", "[model]") {
  GgufFile file = fileOf("t5", {"<pad>", "</s>", "<unk>", "▁", "▁a", "b", "ab"},
                         {3, 3, 2, 1, 1, 1, 1}, {0, 0, 0, -1, -2, -3, -9});
  file.metadata["tokenizer.ggml.eos_token_id"] = Index{1};
  file.metadata["tokenizer.ggml.unknown_token_id"] = Index{2};
  CHECK(tokensOf(file, "ab xx", true).pieces == Pieces{"▁a", "b", "▁", "xx", "</s>"});
  file.metadata["tokenizer.ggml.precompiled_charsmap"] = Ids{0};
  CHECK(problemOf(file) == "E_UNSUPPORTED m.gguf");
}

TEST_CASE("keys of a GGUF file that do not fit are refused", "[model]") {
  GgufFile file = sentencePiece();
  file.metadata["tokenizer.ggml.scores"] = std::vector<double>{1};
  CHECK(problemOf(file) == "E_SHAPE m.gguf");
  file = sentencePiece();
  file.metadata["tokenizer.ggml.bos_token_id"] = Index{10};
  CHECK(problemOf(file) == "E_RANGE m.gguf: tokenizer.ggml.bos_token_id");
  CHECK(problemOf(fileOf("gpt2", {"a\xFF"}, {1})) == "E_TYPE m.gguf: tokenizer.ggml.tokens");
  CHECK(problemOf(fileOf("rwkv", {"a"}, {1})) == "E_UNSUPPORTED m.gguf");
  CHECK(problemOf(GgufFile{}) == "E_UNSUPPORTED tokenizer");
}
