// The one error that core throws: the specification's code (S1), what it is about (a parameter, a
// field or a file), and one sentence that says what was found and what is allowed.
#pragma once

#include "core/support/integers.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace attention {

enum class ErrorCode {
  N,           // E_N: n is not an integer of at least 1
  Range,       // E_RANGE: a value outside its range, or parameters that do not fit together
  Type,        // E_TYPE: wrong type, or missing
  Shape,       // E_SHAPE: the shape of a matrix
  NonFinite,   // E_NONFINITE: NaN or infinity in an input or a numeric parameter
  Unknown,     // E_UNKNOWN: an unknown name
  Expr,        // E_EXPR: an expression
  Unsupported, // E_UNSUPPORTED: a file format, or a combination that is not defined
  Io,          // E_IO: a file cannot be read or written
};

// The code as spelt in the specification: "E_RANGE".
std::string_view name(ErrorCode code);

class Error : public std::runtime_error {
public:
  // `message` is the whole sentence, subject included: "stride is 0; it must be an integer of at
  // least 1". Control characters, which names and texts from files may hold, are written as \x0b:
  // an error is one line.
  Error(ErrorCode code, std::string subject, const std::string& message);

  ErrorCode code() const { return code_; }
  // The parameter, field or file at fault.
  const std::string& subject() const { return subject_; }
  // "E_RANGE: stride is 0; it must be an integer of at least 1".
  std::string text() const;

private:
  ErrorCode code_;
  std::string subject_;
};

// "`subject` is `found`; it must be `allowed`" with E_RANGE, the most frequent error.
[[noreturn]] void throwRange(const std::string& subject, const std::string& found,
                             const std::string& allowed);

// "`file`: `what`".
[[noreturn]] void throwInFile(ErrorCode code, const std::string& file, const std::string& what);

} // namespace attention
