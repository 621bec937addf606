// How a tokenizer cuts a text into words before the model cuts words into pieces: the steps of
// tokenizer.json's `pre_tokenizer`.
#pragma once

#include "core/model/tokenizer_part.h"
#include "core/model/tokenizer_pattern.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attention {

// Byte-level BPE's: cut by the expression, if any, and write bytes as letters.
struct ByteLevelSplit {
  bool prefixSpace = false; // a space before a part that begins with none
  std::optional<TextPattern> pattern;
};
// GPT-2's own expression (openai/gpt-2:src/encoder.py).
TextPattern gpt2Pattern();

struct PatternSplit {
  TextPattern pattern;
  SplitBehaviour behaviour = SplitBehaviour::Isolated;
  bool inverted = false; // what lies between matches counts as the match
};
struct DigitSplit {
  bool each = false; // every digit alone
};

// SentencePiece's: spaces become `replacement`, which words begin with.
enum class PrependScheme { First, Never, Always };
struct MetaspaceSplit {
  std::string replacement = "▁";
  PrependScheme scheme = PrependScheme::Always;
  bool split = true;
};

struct BertSplit {};       // at white space, which goes, and around punctuation
struct WhiteSpaceSplit {}; // at white space, which goes
struct WordSplit {};       // runs of word characters and of others that are no white space
struct PunctuationSplit {
  SplitBehaviour behaviour = SplitBehaviour::Isolated;
};

using Splitter = std::variant<ByteLevelSplit, PatternSplit, DigitSplit, MetaspaceSplit, BertSplit,
                              WhiteSpaceSplit, WordSplit, PunctuationSplit>;

// All steps in order; added tokens stay as they are. E_RANGE names the step that makes the text too
// long (mostBytesOf).
std::vector<TokenPart> splitParts(const std::vector<Splitter>& steps, std::vector<TokenPart> parts);

} // namespace attention
