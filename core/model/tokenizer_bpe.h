// Byte pair encoding (Sennrich et al., arXiv 1508.07909): a word is its characters, and of all
// neighbours the pair with the lowest rank is merged until none can be.
#pragma once

#include "core/model/tokenizer_pieces.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace attention {

class BpeMerges {
public:
  struct Merge {
    std::uint32_t rank = 0;
    Index id = 0; // of the whole
  };

  // The last rank of a pair counts. Ids are at most kMaxTokenId.
  void add(Index left, Index right, Merge merge);
  const Merge* find(Index left, Index right) const;
  std::uint32_t nextRank() const { return nextRank_; }

private:
  std::unordered_map<std::uint64_t, Merge> merges_;
  std::uint32_t nextRank_ = 0;
};

struct BpeModel {
  TokenPieces pieces;
  BpeMerges merges;
  std::optional<std::string> unknown; // the piece of characters that have none
  bool fuseUnknown = false;           // one for several
  bool byteFallback = false;          // bytes as pieces before that
  bool ignoreMerges = false;          // a word that is a piece is that piece
  std::string continuingPrefix;       // of characters behind the first
  std::string wordEnd;                // of the last character
};

// Adds the merge of two pieces, whose rank is that of the merges before it plus one. E_UNKNOWN
// names `subject`: one of them, or both together, is no piece.
void addMerge(BpeModel& model, const std::string& left, const std::string& right,
              const std::string& subject);

// The pieces of a word at the end of `to`. A character that has no piece is left out where there
// is no unknown one. E_UNKNOWN: that one is no piece. O(length · log).
void appendPieces(const BpeModel& model, std::string_view word, Encoding& to);

} // namespace attention
