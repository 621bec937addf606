#include "core/support/direction.h"

namespace attention {

// By the first bytes of UTF-8: U+0580 … U+07FF.
bool readsFromRight(std::string_view text) {
  for (std::size_t k = 0; k + 1 < text.size(); ++k) {
    const auto first = static_cast<unsigned char>(text[k]);
    if (first >= 0xD6 && first <= 0xDF)
      return true;
  }
  return false;
}

std::string fromLeft(std::string line) {
  constexpr const char* kLeftToRight = "\u200E";
  return readsFromRight(line) ? kLeftToRight + line : line;
}

} // namespace attention
