// A tokenizer as plain data: the steps from a text to ids, in the order in which they are taken.
#pragma once

#include "core/model/tokenizer_added.h"
#include "core/model/tokenizer_bpe.h"
#include "core/model/tokenizer_normaliser.h"
#include "core/model/tokenizer_sentencepiece.h"
#include "core/model/tokenizer_splitter.h"
#include "core/model/tokenizer_unigram.h"
#include "core/model/tokenizer_wordpiece.h"

#include <string>
#include <variant>
#include <vector>

namespace attention {

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
