#include "core/export/packed_bytes.h"

#include <bit>
#include <cmath>
#include <glib.h>
#include <memory>
#include <new>
#include <zlib.h>

namespace attention {

std::string base64(std::string_view bytes) {
  const std::unique_ptr<gchar, decltype(&g_free)> text(
      g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size()), g_free);
  return text.get();
}

std::string packed(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()),
                             static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (code != Z_OK) // only memory can lack: the buffer is large enough
    throw std::bad_alloc();
  return base64({out.data(), size});
}

void appendVarint(std::string& bytes, std::uint64_t value) {
  for (; value > 127; value >>= 7)
    bytes += static_cast<char>(128 | (value & 127));
  bytes += static_cast<char>(value);
}

std::string packedNumbers(std::span<const float> values) {
  constexpr std::uint32_t kDropped = 12; // of the 24 significant bits
  constexpr std::uint32_t kHalf = 1u << (kDropped - 1);
  std::string bytes;
  bytes.reserve(4 * values.size());
  for (const float value : values) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isfinite(value))
      bits = (bits + kHalf) & ~((1u << kDropped) - 1);
    for (std::uint32_t shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(bits >> shift & 255);
  }
  return packed(bytes);
}

std::vector<float> entriesOf(const Matrix<float>& values) {
  std::vector<float> numbers;
  numbers.reserve(static_cast<std::size_t>(values.rows() * values.cols()));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      numbers.push_back(values(i, j));
  return numbers;
}

} // namespace attention
