// Bytes for a page of HTML: compressed by zlib and written in base64, as browsers can read them
// without a library (DecompressionStream "deflate").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attention {

std::string base64(std::string_view bytes);
std::string packed(std::string_view bytes);

// Appends a number in bytes of seven bits, lowest first; the high bit says that more follow.
void appendVarint(std::string& bytes, std::uint64_t value);

} // namespace attention
