#include "core/support/error.h"

namespace attention {

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

std::string Error::text() const {
  return std::string(name(code_)) + ": " + what();
}

void throwRange(const std::string& subject, const std::string& found, const std::string& allowed) {
  throw Error(ErrorCode::Range, subject, subject + " is " + found + "; allowed is " + allowed);
}

} // namespace attention
