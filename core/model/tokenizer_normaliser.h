// What a tokenizer changes in a text before it is cut: the steps of tokenizer.json's `normalizer`.
#pragma once

#include "core/model/tokenizer_part.h"
#include "core/model/tokenizer_pattern.h"
#include "core/model/tokenizer_text.h"

#include <string>
#include <variant>
#include <vector>

namespace attention {

// BERT's cleaning (google-research/bert:tokenization.py, BasicTokenizer), in this order.
struct BertCleaning {
  bool clean = true;        // control characters go, white space becomes spaces
  bool separateCjk = true;  // spaces around ideographs
  bool stripAccents = true; // NFD without nonspacing marks
  bool lower = true;
};

struct LowerCasing {};
struct AccentStripping {}; // marks go
struct SpaceStripping {
  bool left = true;
  bool right = true;
};
struct TextReplacing {
  TextPattern pattern;
  std::string by;
};
struct TextPrepending {
  std::string text;
};
struct ByteLettering {};

using Normaliser = std::variant<UnicodeForm, BertCleaning, LowerCasing, AccentStripping,
                                SpaceStripping, TextReplacing, TextPrepending, ByteLettering>;

// All steps in order, on one part. E_RANGE names the one that makes more than `most` bytes of it.
void normalise(const std::vector<Normaliser>& steps, TokenPart& part, std::size_t most);

} // namespace attention
