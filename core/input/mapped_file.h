// The bytes of a regular file, read-only. A large file is mapped, not copied, so that 2 GiB open
// without 2 GiB of memory; a small one is read, so that it may be rewritten while it is in use. A
// mapped file that somebody rewrites in place meanwhile does not crash the program
// (guarded_mapping.h), but what is read may be half old and half new, or zeros: requireUnchanged
// detects that. A new file renamed onto the name leaves the mapped one unchanged.
#pragma once

#include "core/input/file_stamp.h"
#include "core/support/error.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace attention {

class GuardedMapping;

constexpr std::size_t kMapFrom = std::size_t{64} << 20; // bytes; smaller files are read

class MappedFile {
public:
  // E_IO names the file: missing, unreadable, or a folder, device, pipe or socket; or it changed
  // while it was read.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // E_IO where the bytes are mapped and the file was rewritten since it was opened. O(1).
  void requireUnchanged() const;

private:
  MappedFile();
  void readFrom(int file);

  std::filesystem::path path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<std::byte[]> copy_; // bytes of a small file; a large one has the others
  std::unique_ptr<GuardedMapping> mapping_;
  int file_ = -1;
  FileStamp stamp_;
};

// MappedFile::requireUnchanged for the file that holds `bytes`; nothing if none does.
void requireUnchanged(const void* bytes);

// What read() makes of `bytes`, which may lie in a mapped file. If that was rewritten meanwhile,
// the error says so instead of naming the consequence.
template <class Read>
auto readUnchanged(const void* bytes, const Read& read) {
  try {
    auto made = read();
    requireUnchanged(bytes);
    return made;
  } catch (const Error&) {
    requireUnchanged(bytes);
    throw;
  }
}

// The most bytes of a text (scene, pattern, script).
constexpr std::size_t kMaxTextFile = std::size_t{256} << 20;

// The text of a regular file, without a byte order mark. E_IO as MappedFile::open; E_RANGE: longer
// than kMaxTextFile.
std::string textOfFile(const std::filesystem::path& path);

} // namespace attention
