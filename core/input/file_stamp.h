// How a change of a file is noticed. Without reading it: by its size, when it was last written, and
// which file has that name (a new one may have been renamed onto it). By reading: a short
// fingerprint, which tells a Scene that a file is not the one it was made with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

struct stat;

namespace attention {

struct FileStamp {
  bool there = false;        // else the rest is 0
  std::uint64_t device = 0;  // id of the file system
  std::uint64_t number = 0;  // id of the file in it
  std::int64_t size = 0;     // bytes
  std::int64_t writtenS = 0; // seconds since 1970, and nanoseconds
  std::int64_t writtenNs = 0;
  bool operator==(const FileStamp&) const = default;
};

// The stamp of what `path` names, through links. Never throws: what cannot be examined does not
// exist.
FileStamp stampOf(const std::filesystem::path& path);
FileStamp stampOf(const struct stat& status);

// ---- by reading ----

// "<bytes>-<CRC-32 in hexadecimal>": no protection against forgery. Beyond 64 MiB, 1024 evenly
// spaced blocks of 64 KiB are read, including the first and the last.
std::string contentHash(std::span<const std::byte> bytes);

} // namespace attention
