// A place in the bytes of a GGUF file, which moves on as values are read. Nothing is read beyond
// the end, and every count is compared with the bytes that are left.
#pragma once

#include "core/model/gguf.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace attention {

class GgufCursor {
public:
  GgufCursor(std::span<const std::byte> bytes, std::string file)
      : bytes_(bytes), file_(std::move(file)) {}

  std::size_t position() const { return position_; }

  // A number in little-endian order; `what` names it where the file ends before it does.
  template <class T>
  T number(const char* what) {
    static_assert(std::is_arithmetic_v<T> && std::endian::native == std::endian::little);
    T value{};
    const std::span<const std::byte> read = next(sizeof(T), what);
    std::memcpy(&value, read.data(), sizeof(T));
    return value;
  }

  // A number of entries of at least `bytes` bytes each.
  std::size_t count(std::size_t bytes, const char* what);
  // Its length, then its bytes.
  std::string text(const char* what);

  // "`file` `what`", or "`label` `what`", with E_UNSUPPORTED.
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const std::string& label, const std::string& what) const;

private:
  std::span<const std::byte> next(std::size_t size, const char* what);

  std::span<const std::byte> bytes_;
  std::string file_;
  std::size_t position_ = 0;
};

// The parts of a file, in its order.
GgufValue readGgufValue(GgufCursor& cursor);
// The table with `count` entries, and where in `bytes` the tensors lie. gguf.metadata is set.
void readGgufTensors(GgufCursor& cursor, std::size_t count, std::span<const std::byte> bytes,
                     GgufFile& gguf);

} // namespace attention
