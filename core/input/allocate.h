// Matrices whose size an input chooses: a size that no memory can hold is an error of the input,
// not of the program.
#pragma once

#include "core/support/error.h"
#include "core/support/matrix.h"

#include <new>
#include <stdexcept>
#include <string>

namespace attention {

// The most numbers of one matrix.
constexpr Index kMaxMatrixNumbers = Index{1} << 32;

// rows × cols zeros. E_RANGE names `subject`.
template <class T>
Matrix<T> allocated(Index rows, Index cols, const std::string& subject) {
  const auto fail = [&](const std::string& allowed) {
    throwRange(subject, std::to_string(rows) + " × " + std::to_string(cols) + " numbers", allowed);
  };
  if (rows > kMaxMatrixNumbers / cols)
    fail("at most 2^32 numbers in a matrix");
  try {
    return Matrix<T>(rows, cols);
  } catch (const std::bad_alloc&) {
    fail("small enough to fit in memory");
  } catch (const std::length_error&) {
    fail("small enough to fit in memory");
  }
  return {};
}

} // namespace attention
