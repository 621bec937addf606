#include "core/model/tokenizer_bytes.h"

#include "core/model/tokenizer_text.h"

#include <array>

namespace attention {
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
