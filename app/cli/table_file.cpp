#include "app/cli/table_file.h"

#include "core/input/replace_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

void writeLine(std::ostream& out, const std::vector<std::string>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c)
    out << (c == 0 ? "" : ",") << cells[c];
  out << '\n';
}

} // namespace

void writeCsv(const std::filesystem::path& path, const std::vector<std::string>& headings,
              const std::vector<std::vector<std::string>>& rows) {
  replaceFile(path, [&](std::ostream& out) {
    writeLine(out, headings);
    for (const auto& row : rows)
      writeLine(out, row);
  });
}

void writeJson(const std::filesystem::path& path, const Json& json) {
  replaceFile(path, [&](std::ostream& out) {
    out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

std::string csvNumber(double value) {
  if (std::isnan(value))
    return "nan";
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

} // namespace attention::cli
