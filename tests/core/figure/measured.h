// Layout without a typeface: what the tests of figures measure words with, and look for in display
// lists.
#pragma once

#include "core/plot/display_list.h"
#include "tests/catch.h"

#include <string_view>
#include <vector>

namespace attention {

// Every character is 0.6 of the size wide: layout without a typeface.
inline double measured(std::string_view text, double size, bool) {
  double signs = 0;
  for (const char c : text)
    signs += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return 0.6 * size * signs;
}

inline const TextMeasure kMeasure = measured;

// All primitives of a kind, in order.
template <class T>
std::vector<T> all(const DisplayList& list) {
  std::vector<T> found;
  for (const Primitive2D& item : list.items)
    if (const auto* of = std::get_if<T>(&item))
      found.push_back(*of);
  return found;
}

inline Box boxOf(const Text& text) {
  const double width = measured(text.text, text.size, text.bold);
  const double height = 0.75 * text.size;
  const double shift = text.align == TextAlign::Left     ? 0
                       : text.align == TextAlign::Center ? width / 2
                                                         : width;
  if (text.upwards)
    return {text.at.x - height, text.at.y + shift - width, height, width};
  return {text.at.x - shift, text.at.y - height, width, height};
}

inline bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// No word is cut off and no two touch.
inline void checkWords(const DisplayList& list) {
  const auto texts = all<Text>(list);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const Box box = boxOf(texts[k]);
    INFO(texts[k].text);
    CHECK(box.x >= 0);
    CHECK(box.y >= 0);
    CHECK(box.right() <= list.size.width);
    CHECK(box.bottom() <= list.size.height);
    for (std::size_t other = k + 1; other < texts.size(); ++other) {
      INFO(texts[other].text);
      CHECK(!overlap(box, boxOf(texts[other])));
    }
  }
}

} // namespace attention
