// Text to token ids as a model's own tokenizer does it, from a tokenizer.json (Hugging Face), a
// tokenizer.model (SentencePiece) or the tokens of a GGUF file.
#pragma once

#include "core/support/integers.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct Encoding {
  std::vector<Index> ids;
  std::vector<std::string> pieces; // raw: "Ġthe", "▁the", "##ing"
};

class Tokenizer {
public:
  virtual ~Tokenizer() = default;

  // `special`: with the tokens that the post-processor adds (a BOS, [CLS] and [SEP]). Added tokens
  // that the text spells out are found in either case. E_TYPE: the text is not UTF-8.
  virtual Encoding encode(std::string_view text, bool special) const = 0;
  // The raw piece of an id; empty where there is none.
  virtual std::string piece(Index id) const = 0;
  virtual Index vocabulary() const = 0;
};

// MODEL of the command line: a .gguf file, a folder with tokenizer.json or tokenizer.model, or such
// a file. E_IO; E_UNSUPPORTED names a step that is not known (a normaliser, a splitter); E_TYPE.
std::shared_ptr<const Tokenizer> openTokenizer(const std::filesystem::path& path);

} // namespace attention
