// A tokenizer as plain data: the steps from a text to ids, in the order in which they are taken.
#pragma once

#include "core/model/tokenizer_added.h"
#include "core/model/tokenizer_bpe.h"
#include "core/model/tokenizer_normaliser.h"
#include "core/model/tokenizer_pieces.h"
#include "core/model/tokenizer_sentencepiece.h"
#include "core/model/tokenizer_splitter.h"
#include "core/model/tokenizer_unigram.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attention {

// WordPiece as BERT cuts (Devlin et al., arXiv 1810.04805): from the left, always the longest
// piece.
struct WordPieceModel {
  TokenPieces pieces;
  std::string unknown = "[UNK]";
  std::string continuingPrefix = "##"; // of pieces behind the first
  Index longestWord = 100;             // characters; a longer word is unknown
};

// The pieces of a word at the end of `to`, or the unknown piece for all of it. E_UNKNOWN: that one
// is no piece. O(length · longest piece).
void appendPieces(const WordPieceModel& model, std::string_view word, Encoding& to);

using TokenModel = std::variant<BpeModel, UnigramModel, WordPieceModel, SentencePieceModel>;

// What stands around the text's tokens: special tokens, or the text's own.
struct TemplateItem {
  bool text = false;
  Encoding special = {}; // where it is not the text
};

struct TokenizerPipeline {
  std::vector<Normaliser> normalisers;
  AddedTokens added;
  std::vector<Splitter> splitters;
  TokenModel model;
  std::vector<TemplateItem> around{{true, {}}};
};

// What a model says of its vocabulary.
std::string pieceOf(const TokenModel& model, Index id);
std::optional<Index> idOf(const TokenModel& model, std::string_view piece);
Index pieceCount(const TokenModel& model);
Index idsEnd(const TokenModel& model); // one more than the largest id

} // namespace attention
