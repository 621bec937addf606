#include "core/input/model_metadata.h"

#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace attention {
namespace {

constexpr std::string_view kSentencePieceSpace = "▁";

// The code point that begins at `at`, which moves past it; nothing if the text is not UTF-8.
std::optional<std::uint32_t> nextCode(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(at++);
  if (first < 0x80)
    return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : -1;
  if (more < 0 || at + static_cast<std::size_t>(more) > text.size())
    return std::nullopt;
  std::uint32_t code = first & (0x3FU >> more);
  for (int k = 0; k < more; ++k)
    code = code << 6 | (byte(at++) & 0x3FU);
  return code;
}

// Byte-level tokenizers (GPT-2) write a byte that is not a printable Latin-1 character as one of
// the code points from 256 on, in the order of the bytes.
const std::array<int, 512>& bytesOfCodes() {
  static const std::array<int, 512> kBytes = [] {
    std::array<int, 512> bytes{};
    bytes.fill(-1);
    std::size_t next = 256;
    for (int b = 0; b < 256; ++b) {
      const bool itself = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
      bytes[itself ? static_cast<std::size_t>(b) : next++] = b;
    }
    return bytes;
  }();
  return kBytes;
}

// Nothing if a character of the piece stands for no byte.
std::optional<std::string> decodedBytes(std::string_view piece) {
  std::string bytes;
  for (std::size_t at = 0; at < piece.size();) {
    const auto code = nextCode(piece, at);
    if (!code || *code >= bytesOfCodes().size() || bytesOfCodes()[*code] < 0)
      return std::nullopt;
    bytes += static_cast<char>(bytesOfCodes()[*code]);
  }
  return bytes;
}

} // namespace

std::string pieceLabel(const std::string& piece, bool byteLevel) {
  if (byteLevel) {
    const std::string label = printableLabel(decodedBytes(piece).value_or(piece));
    return label.size() > 1 && label.front() == ' ' ? label.substr(1) : label;
  }
  if (piece.starts_with(kSentencePieceSpace) && piece.size() > kSentencePieceSpace.size())
    return piece.substr(kSentencePieceSpace.size());
  return piece;
}

bool areByteLevel(std::span<const std::string> pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
    return piece.starts_with("Ġ") || piece.starts_with("Ċ");
  });
}

std::vector<std::string> pieceLabels(std::span<const std::string> pieces) {
  const bool byteLevel = areByteLevel(pieces);
  std::vector<std::string> labels;
  for (const std::string& piece : pieces)
    labels.push_back(pieceLabel(piece, byteLevel));
  return labels;
}

} // namespace attention
