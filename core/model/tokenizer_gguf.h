// The tokenizer in a GGUF file: its pieces with types, scores or merges, and the name of the rules
// that cut words (keys tokenizer.ggml.*; ggml-org/llama.cpp:src/llama-vocab.cpp,
// gguf-py/gguf/constants.py).
#pragma once

#include "core/model/gguf.h"
#include "core/model/tokenizer_pipeline.h"

#include <string>
#include <vector>

namespace attention {

// Whether the file says what its tokenizer is.
bool hasTokenizer(const GgufFile& file);

// E_UNSUPPORTED: the file has no tokenizer, or one of a kind, or with rules, that are not known;
// E_TYPE, E_RANGE, E_UNKNOWN name the key. Pieces are at most 1024 bytes long where merges follow
// from scores. O(bytes of pieces · longest piece).
TokenizerPipeline tokenizerFromGguf(const GgufFile& file);

// How byte-level BPE cuts words, by the name that the key tokenizer.ggml.pre gives its rules.
struct GgufWordRules {
  std::vector<Normaliser> normalisers;
  std::vector<Splitter> splitters;
  bool ignoreMerges = false;
  bool begin = false; // a text begins with the BOS where the file does not say
};
// E_UNSUPPORTED names `subject`.
GgufWordRules ggufWordRules(const std::string& name, const std::string& subject);

} // namespace attention
