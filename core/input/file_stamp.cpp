#include "core/input/file_stamp.h"

#include <array>
#include <charconv>
#include <sys/stat.h>
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

FileStamp stampOf(const struct stat& status) {
  FileStamp stamp;
  stamp.there = true;
  stamp.device = status.st_dev;
  stamp.number = status.st_ino;
  stamp.size = status.st_size;
#if defined(__APPLE__)
  stamp.writtenS = status.st_mtimespec.tv_sec;
  stamp.writtenNs = status.st_mtimespec.tv_nsec;
#else
  stamp.writtenS = status.st_mtim.tv_sec;
  stamp.writtenNs = status.st_mtim.tv_nsec;
#endif
  return stamp;
}

FileStamp stampOf(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? stampOf(status) : FileStamp();
}

std::string contentHash(std::span<const std::byte> bytes) {
  std::array<char, 16> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), checksum(bytes), 16).ptr;
  return std::to_string(bytes.size()) + "-" + std::string(digits.data(), end);
}

} // namespace attention
