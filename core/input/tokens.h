// Token labels: the words under an axis. Text with one label per line, or a JSON array of strings.
// Control characters and bytes that are not UTF-8 are escaped: a line break becomes the two
// characters \n, é in Latin-1 becomes \xe9. So a label is always one line, and labels in
// another encoding stay apart.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace attention {

constexpr std::size_t kMaxLabel = 4096; // bytes

// Labels from a file's bytes: JSON where `file` ends in .json or the text begins with [" or is [],
// else lines (one may be [CLS]). E_TYPE: JSON that is not an array of strings; E_RANGE: no label at
// all, or a label longer than 4096 bytes.
std::vector<std::string> parseTokens(std::span<const std::byte> bytes, const std::string& file);

std::vector<std::string> readTokens(const std::filesystem::path& path);

} // namespace attention
