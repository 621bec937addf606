#include "app/cli/report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

namespace attention::cli {

void print(std::ostream& out, const Lines& lines) {
  std::size_t width = 0;
  for (const auto& [name, value] : lines)
    width = std::max(width, name.size());
  for (const auto& [name, value] : lines)
    out << name << std::string(width - name.size() + 2, ' ') << value << '\n';
}

void print(std::ostream& out, const Json& json) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json jsonNumber(double value) {
  if (std::isnan(value))
    return nullptr;
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  // Models of cost are whole numbers: written so.
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return static_cast<long long>(value);
  return value;
}

std::string textNumber(double value) {
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

} // namespace attention::cli
