#include "core/export/csv_table.h"

#include "core/input/replace_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

namespace attention {
namespace {

std::string cellText(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string lineText(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c)
    line += (c == 0 ? "" : ",") + cellText(cells[c]);
  return line + "\n";
}

} // namespace

std::string textOf(const CsvTable& table) {
  std::string text = lineText(table.headings);
  for (const auto& row : table.rows)
    text += lineText(row);
  return text;
}

void writeCsv(const std::filesystem::path& path, const CsvTable& table) {
  replaceFile(path, [&](std::ostream& out) { out << textOf(table); });
}

std::string csvNumber(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end.ptr};
}

std::string csvText(std::string text) {
  std::replace(text.begin(), text.end(), ',', ';');
  return text;
}

} // namespace attention
