// The bytes of a regular file, read-only. A large file is mapped, not copied, so that 2 GiB open
// without 2 GiB of memory; a small one is read, so that it may be rewritten while it is in use.
// (A mapped file that somebody shortens meanwhile ends the process: do not write it in place.)
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace attention {

constexpr std::size_t kMapFrom = std::size_t{64} << 20; // bytes; smaller files are read

class MappedFile {
public:
  // E_IO names the file: missing, unreadable, or a folder, device, pipe or socket.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
  MappedFile() = default;

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr; // null where the bytes are in `copy_`
  std::unique_ptr<std::byte[]> copy_;
};

// Bytes of a text (scene, pattern, script), at most.
constexpr std::size_t kMaxTextFile = std::size_t{256} << 20;

// The text of a regular file. E_IO as MappedFile::open; E_RANGE: longer than kMaxTextFile.
std::string textOfFile(const std::filesystem::path& path);

} // namespace attention
