#include "core/pattern/lengths.h"

#include "core/support/error.h"

#include <string>

namespace attention {
namespace {

void requireLength(const char* name, Index n) {
  const std::string found = std::string(name) + " is " + std::to_string(n);
  if (n < 1)
    throw Error(ErrorCode::N, name, found + "; it must be an integer of at least 1");
  if (n > kMaxLength)
    throw Error(ErrorCode::Range, name,
                found + "; it must be at most 2^30 = " + std::to_string(kMaxLength));
}

} // namespace

Lengths squareLengths(Index n) {
  requireLength("n", n);
  return {n, n, 0};
}

Lengths alignedLengths(Index queries, Index keys, Align align) {
  requireLength("n_q", queries);
  requireLength("n_k", keys);
  return {queries, keys, align == Align::TopLeft ? 0 : keys - queries};
}

} // namespace attention
