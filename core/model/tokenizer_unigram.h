// A unigram language model over pieces (Kudo, arXiv 1804.10959): a word is the sequence of pieces
// with the largest sum of scores.
#pragma once

#include "core/model/tokenizer_pieces.h"
#include "core/model/tokenizer_trie.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attention {

class UnigramModel {
public:
  // Piece i with its score has the id i; `unknown` is one of them.
  UnigramModel(const std::vector<std::pair<std::string, double>>& pieces,
               std::optional<Index> unknown, bool byteFallback);

  const TokenPieces& pieces() const { return pieces_; }
  // The pieces of a word at the end of `to`. Characters without a piece are one unknown piece
  // where they stand together, or their bytes. E_UNKNOWN: there is no unknown piece.
  // O(length · longest piece).
  void append(std::string_view word, Encoding& to) const;

private:
  struct Node;
  std::vector<Node> bestEnds(std::string_view word) const;
  std::vector<std::string> bestCut(std::string_view word) const;
  void appendPiece(const std::string& piece, Encoding& to) const;
  Index requiredUnknown() const;

  TokenPieces pieces_;
  std::vector<double> scores_;
  TokenTrie trie_;
  std::optional<Index> unknown_;
  bool byteFallback_ = false;
  double unknownScore_ = 0;
};

} // namespace attention
