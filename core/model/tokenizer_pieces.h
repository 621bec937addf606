// A vocabulary: pieces and their ids; how vocabularies of texts hold every byte.
#pragma once

#include "core/support/integers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attention {

struct Encoding {
  std::vector<Index> ids;
  std::vector<std::string> pieces; // raw: "Ġthe", "▁the", "##ing"

  void add(Index id, std::string piece);
};

constexpr Index kMaxTokenId = (Index{1} << 24) - 1;

class TokenPieces {
public:
  // The last id of a piece counts, and the last piece of an id. E_RANGE names `subject`: the id is
  // not in 0 … 2^24 − 1.
  void add(std::string_view piece, Index id, const std::string& subject);

  std::optional<Index> find(std::string_view piece) const;
  // Empty where there is none.
  const std::string& piece(Index id) const;
  // How many pieces there are, and one more than the largest id.
  Index size() const { return static_cast<Index>(ids_.size()); }
  Index idsEnd() const { return idsEnd_; }
  // Bytes of the longest.
  std::size_t longest() const { return longest_; }

private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> ids_;
  // Ids of a hostile file may lie far apart: memory follows the number of pieces.
  std::unordered_map<Index, std::string> pieces_;
  Index idsEnd_ = 0;
  std::size_t longest_ = 0;
};

// Every byte of the text as a printable letter: byte-level BPE's alphabet. The bytes that Latin-1
// prints stand for themselves, the others in order for U+0100 and on (openai/gpt-2:src/encoder.py,
// bytes_to_unicode).
std::string byteLetters(std::string_view text);

// SentencePiece's piece of a byte: "<0x0A>".
std::string bytePiece(std::uint8_t byte);

} // namespace attention
