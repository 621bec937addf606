#include "core/export/packed_bytes.h"

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

} // namespace attention
