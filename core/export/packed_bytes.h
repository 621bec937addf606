// Bytes for a page of HTML: compressed by zlib and written in base64, as browsers can read them
// without a library (DecompressionStream "deflate").
#pragma once

#include "core/support/matrix.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

std::string base64(std::string_view bytes);
std::string packed(std::string_view bytes);

// Appends a number in bytes of seven bits, lowest first; the high bit says that more follow.
void appendVarint(std::string& bytes, std::uint64_t value);

// Packed, 32 bits each, least significant byte first, rounded to 12 significant bits: three digits,
// which are all that is shown, compress better.
std::string packedNumbers(std::span<const float> values);
// The entries row by row.
std::vector<float> entriesOf(const Matrix<float>& values);

} // namespace attention
