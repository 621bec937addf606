#include "core/input/content_hash.h"

#include <array>
#include <charconv>
#include <zlib.h>

namespace attention {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;
constexpr std::size_t kBlocks = 1024;

uLong extended(uLong crc, std::span<const std::byte> bytes) {
  return crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

uLong checksum(std::span<const std::byte> bytes) {
  uLong crc = crc32_z(0, nullptr, 0);
  if (bytes.size() <= kBlock * kBlocks)
    return bytes.empty() ? crc : extended(crc, bytes);
  const std::size_t room = bytes.size() - kBlock;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    // room / (kBlocks − 1) · block, the remainder spread so that the last block ends the file.
    const std::size_t begin =
        room / (kBlocks - 1) * block + room % (kBlocks - 1) * block / (kBlocks - 1);
    crc = extended(crc, bytes.subspan(begin, kBlock));
  }
  return crc;
}

} // namespace

std::string contentHash(std::span<const std::byte> bytes) {
  std::array<char, 16> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), checksum(bytes), 16).ptr;
  return std::to_string(bytes.size()) + "-" + std::string(digits.data(), end);
}

} // namespace attention
