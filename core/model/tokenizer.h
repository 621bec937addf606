// Text to token ids as a model's own tokenizer does it, from a tokenizer.json (Hugging Face), a
// tokenizer.model (SentencePiece) or the tokens of a GGUF file.
#pragma once

#include "core/model/tokenizer_pieces.h"
#include "core/support/integers.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace attention {

struct TokenizerPipeline;

class Tokenizer final {
public:
  explicit Tokenizer(TokenizerPipeline pipeline);

  // `special`: with the tokens that the post-processor adds (a BOS, [CLS] and [SEP]). Added tokens
  // that the text spells out are found in either case. E_TYPE: the text is not UTF-8; E_RANGE: it
  // is longer than 2^30 bytes, or a step of the tokenizer makes it far longer than it is;
  // E_UNKNOWN: it needs an unknown token that the tokenizer lacks.
  // O(length · log length).
  Encoding encode(std::string_view text, bool special) const;
  // The raw piece of an id; empty where there is none.
  std::string piece(Index id) const;
  // One more than the largest id.
  Index vocabulary() const;

private:
  std::shared_ptr<const TokenizerPipeline> pipeline_;
};

// What a sentence says where a model has no tokenizer; its error is about "tokenizer".
constexpr const char* kIdsInstead =
    "give token ids instead of a text (--ids FILE; in the window type them in the field ids, or "
    "drop a .json list of them)";

// MODEL of the command line: a .gguf file, a folder with tokenizer.json or tokenizer.model, or such
// a file. E_IO; E_UNSUPPORTED names a step that is not known (a normaliser, a splitter); E_TYPE,
// E_RANGE, E_UNKNOWN and E_EXPR name the field that cannot be read.
std::shared_ptr<const Tokenizer> openTokenizer(const std::filesystem::path& path);

// The same; null where a folder has no file of a tokenizer, or a GGUF file none of its keys.
std::shared_ptr<const Tokenizer> findTokenizer(const std::filesystem::path& path);

} // namespace attention
