#include "app/cli/report.h"

#include "core/input/replace_file.h"
#include "core/support/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

namespace attention::cli {

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void print(std::ostream& out, const Lines& lines) {
  std::size_t width = 0;
  for (const auto& [name, value] : lines)
    width = std::max(width, letters(name));
  for (const auto& [name, value] : lines)
    out << name << std::string(width - letters(name) + 2, ' ') << value << '\n';
}

void printAligned(std::ostream& out, const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c)
      widths[c] = std::max(widths[c], letters(line[c]));
  for (const Cells& line : lines) {
    for (std::size_t c = 0; c + 1 < line.size(); ++c)
      out << line[c] << std::string(widths[c] - letters(line[c]) + 2, ' ');
    out << line.back() << '\n';
  }
}

void print(std::ostream& out, const Json& json) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json jsonNumber(double value) {
  if (!std::isfinite(value))
    return nullptr;
  // The cost model gives whole numbers, which are written as such.
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return static_cast<long long>(value);
  return value;
}

Json errorJson(const std::optional<OutputError>& error) {
  if (!error)
    return nullptr;
  return {{"relative_frobenius", jsonNumber(error->relativeFrobenius)},
          {"max_abs", jsonNumber(error->maxAbs)}};
}

std::string errorText(const OutputError& error) {
  return textNumber(error.relativeFrobenius) + " relative, " + textNumber(error.maxAbs) +
         " largest";
}

std::string textNumber(double value) {
  if (std::isnan(value)) // some libraries print the sign of one
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "−∞" : "∞";
  char buffer[64];
  if (value == std::floor(value) && std::abs(value) < 0x1p53) {
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<long long>(value));
    return {buffer, end.ptr};
  }
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6);
  return {buffer, end.ptr};
}

std::string someOf(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMost); ++k)
    text += (k == 0 ? "" : ", ") + names[k];
  return text +
         (names.size() > kMost ? " and " + std::to_string(names.size() - kMost) + " more" : "");
}

void writeJson(const std::filesystem::path& path, const Json& json) {
  replaceFile(path, [&](std::ostream& out) {
    out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

} // namespace attention::cli
