#include "core/model/tokenizer_pieces.h"

#include "core/model/tokenizer_text.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attention {

void Encoding::add(Index id, std::string piece) {
  ids.push_back(id);
  pieces.push_back(std::move(piece));
}

void TokenPieces::add(std::string_view piece, Index id, const std::string& subject) {
  if (id < 0 || id > kMaxTokenId)
    throwRange(subject, std::to_string(id), "an integer from 0 to " + std::to_string(kMaxTokenId));
  ids_.insert_or_assign(std::string(piece), id);
  pieces_.insert_or_assign(id, std::string(piece));
  idsEnd_ = std::max(idsEnd_, id + 1);
  longest_ = std::max(longest_, piece.size());
}

std::optional<Index> TokenPieces::find(std::string_view piece) const {
  const auto at = ids_.find(piece);
  return at == ids_.end() ? std::nullopt : std::optional(at->second);
}

const std::string& TokenPieces::piece(Index id) const {
  static const std::string kNone;
  const auto at = pieces_.find(id);
  return at == pieces_.end() ? kNone : at->second;
}

namespace {

bool isPrintedByLatin1(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

std::array<std::string, 256> letters() {
  std::array<std::string, 256> table;
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < table.size(); ++byte)
    appendCharacter(table[byte], isPrintedByLatin1(byte) ? byte : next++);
  return table;
}

} // namespace

std::string byteLetters(std::string_view text) {
  static const std::array<std::string, 256> kLetters = letters();
  std::string written;
  written.reserve(text.size() + text.size() / 4);
  for (const char byte : text)
    written += kLetters[static_cast<std::uint8_t>(byte)];
  return written;
}

std::string bytePiece(std::uint8_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte >> 4U] + kDigits[byte & 0xFU] + ">";
}

} // namespace attention
