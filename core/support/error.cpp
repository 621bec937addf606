#include "core/support/error.h"

namespace attention {
namespace {

std::string onOneLine(const std::string& message) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string line;
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      line += c;
      continue;
    }
    line += "\\x";
    line += kDigits[byte >> 4];
    line += kDigits[byte & 15];
  }
  return line;
}

} // namespace

std::string_view name(ErrorCode code) {
  switch (code) {
  case ErrorCode::N:
    return "E_N";
  case ErrorCode::Range:
    return "E_RANGE";
  case ErrorCode::Type:
    return "E_TYPE";
  case ErrorCode::Shape:
    return "E_SHAPE";
  case ErrorCode::NonFinite:
    return "E_NONFINITE";
  case ErrorCode::Unknown:
    return "E_UNKNOWN";
  case ErrorCode::Expr:
    return "E_EXPR";
  case ErrorCode::Unsupported:
    return "E_UNSUPPORTED";
  case ErrorCode::Io:
    return "E_IO";
  }
  return "E_UNKNOWN";
}

Error::Error(ErrorCode code, std::string subject, const std::string& message)
    : std::runtime_error(onOneLine(message)), code_(code), subject_(std::move(subject)) {}

std::string Error::text() const {
  return std::string(name(code_)) + ": " + what();
}

void throwRange(const std::string& subject, const std::string& found, const std::string& allowed) {
  throw Error(ErrorCode::Range, subject, subject + " is " + found + "; it must be " + allowed);
}

void throwInFile(ErrorCode code, const std::string& file, const std::string& what) {
  throw Error(code, file, file + ": " + what);
}

} // namespace attention
