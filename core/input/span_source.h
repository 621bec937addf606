// Bytes in memory in the form that libzip expects, and the place where it last read, so that a
// stored member of a mapped archive can be used in place, without a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <zip.h>

namespace attention {

struct ZipClose {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using ZipArchive = std::unique_ptr<zip_t, ZipClose>;

// What libzip gets; must outlive the archive.
struct SpanSource {
  std::span<const std::byte> bytes;
  std::size_t position = 0;
  std::size_t lastRead = 0; // where the last read began
  zip_error_t error{};
};

// The archive in source.bytes, read-only; null with zipError set where there is none.
ZipArchive openZip(SpanSource& source, int& zipError);

} // namespace attention
