// WordPiece as BERT cuts (Devlin et al., arXiv 1810.04805): from the left, always the longest
// piece.
#pragma once

#include "core/model/tokenizer_pieces.h"

#include <string>
#include <string_view>

namespace attention {

struct WordPieceModel {
  TokenPieces pieces;
  std::string unknown = "[UNK]";
  std::string continuingPrefix = "##"; // of pieces behind the first
  Index longestWord = 100;             // characters; a longer word is unknown
};

// The pieces of a word at the end of `to`, or the unknown piece for all of it. E_UNKNOWN: that one
// is no piece. O(length · longest piece).
void appendPieces(const WordPieceModel& model, std::string_view word, Encoding& to);

} // namespace attention
