// A short fingerprint of a file, by which a Scene notices that a file is not the one it was made
// with. No protection against forgery.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace attention {

// "<bytes>-<CRC-32 in hexadecimal>". Of more than 64 MiB, 1024 evenly spaced blocks of 64 KiB are
// looked at, the first and the last among them.
std::string contentHash(std::span<const std::byte> bytes);

} // namespace attention
