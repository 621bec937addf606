#include "core/pattern/asked_keys.h"

namespace attention {

std::vector<std::uint64_t> askedKeys(const AskedCells& asked, Index token, const KeySpan& span) {
  const Index keys = std::max<Index>(span.end - span.begin, 0);
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(ceilDiv(keys, 64)));
  if (asked.mark) {
    asked.mark(token, span, bits);
    return bits;
  }
  for (Index t = 0; t < keys; ++t)
    if (asked.contains(token, span.begin + t))
      bits[static_cast<std::size_t>(t / 64)] |= std::uint64_t{1} << t % 64;
  return bits;
}

} // namespace attention
