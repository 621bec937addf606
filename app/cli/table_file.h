// Results as files: tables as .csv, objects as .json, each replaced only by a complete new one.
#pragma once

#include "app/cli/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention::cli {

// A heading line, then the rows, separated by commas; cells must hold no commas. E_IO.
void writeCsv(const std::filesystem::path& path, const std::vector<std::string>& headings,
              const std::vector<std::vector<std::string>>& rows);

// One object with line breaks. E_IO.
void writeJson(const std::filesystem::path& path, const Json& json);

// A number for a .csv: as short as it reads back, "inf", "-inf" or "nan".
std::string csvNumber(double value);

// A text for a .csv: names of patterns hold commas, which cells must not; they become semicolons.
std::string csvText(std::string text);

} // namespace attention::cli
