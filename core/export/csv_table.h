// Tables of results as comma-separated values: a heading line, then a line per row.
#pragma once

#include "core/support/integers.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention {

struct CsvTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows; // as many cells as headings
  bool operator==(const CsvTable&) const = default;
};

// Cells with commas, quotes or line breaks stand in quotes (RFC 4180), lines end with \n.
std::string textOf(const CsvTable& table);

// Replaces `path` only by a complete file. E_IO.
void writeCsv(const std::filesystem::path& path, const CsvTable& table);

// A number for a cell: as short as it reads back, "inf", "-inf" or "NaN".
std::string csvNumber(double value);
inline std::string csvNumber(Index value) {
  return std::to_string(value);
}

// A name for a cell without quotes: names of patterns hold commas, which become semicolons.
std::string csvText(std::string text);

} // namespace attention
