#include "app/gui/platform/utf8.h"

#include <array>
#include <cstdio>

namespace attention::gui {
namespace {

constexpr char32_t kBroken = 0xFFFD;

} // namespace

char32_t takeSign(std::string_view& text) {
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byteAt(0);
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xE0) == 0xC0 ? 2
                             : (first & 0xF0) == 0xE0 ? 3
                             : (first & 0xF8) == 0xF0 ? 4
                                                      : 0;
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  char32_t sign = kBroken;
  std::size_t used = 1;
  if (length == 1) {
    sign = first;
  } else if (length > 1 && text.size() >= length) {
    char32_t value = first & (0xFFU >> (length + 1));
    bool good = true;
    for (std::size_t i = 1; i < length; ++i) {
      good = good && (byteAt(i) & 0xC0) == 0x80;
      value = (value << 6) | (byteAt(i) & 0x3FU);
    }
    good =
        good && value >= kLeast[length] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    if (good) {
      sign = value;
      used = length;
    }
  }
  text.remove_prefix(used);
  return sign;
}

void appendSign(std::string& text, char32_t sign) {
  const auto put = [&](char32_t byte) {
    text += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (sign < 0x80) {
    put(sign);
  } else if (sign < 0x800) {
    put(0xC0 | (sign >> 6));
    put(0x80 | (sign & 0x3F));
  } else if (sign < 0x10000) {
    put(0xE0 | (sign >> 12));
    put(0x80 | ((sign >> 6) & 0x3F));
    put(0x80 | (sign & 0x3F));
  } else {
    put(0xF0 | (sign >> 18));
    put(0x80 | ((sign >> 12) & 0x3F));
    put(0x80 | ((sign >> 6) & 0x3F));
    put(0x80 | (sign & 0x3F));
  }
}

std::string visibleText(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t sign = takeSign(text);
    const bool broken = sign == 0xFFFD && before.size() - text.size() == 1;
    const bool control = sign < 0x20 || (sign >= 0x7F && sign < 0xA0);
    if (sign == '\n') {
      shown += "\\n";
    } else if (sign == '\t') {
      shown += "\\t";
    } else if (control || broken) {
      std::array<char, 8> escape{};
      const unsigned value = broken ? static_cast<unsigned char>(before[0]) : sign;
      std::snprintf(escape.data(), escape.size(), "\\x%02x", value);
      shown += escape.data();
    } else {
      appendSign(shown, sign);
    }
  }
  return shown;
}

} // namespace attention::gui
