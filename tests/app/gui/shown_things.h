// Everything that a part of the window says, and where its pictures are: for tests that know each
// item.
#pragma once

#include "tests/app/gui/shell_window.h"

#include <cmath>

namespace attention::gui {

inline std::string withPlainSpaces(std::string text) {
  for (const std::string space : {"\u2009", "\u202F", "\u00A0"})
    for (std::size_t at = text.find(space); at != std::string::npos; at = text.find(space))
      text.replace(at, space.size(), " ");
  return text;
}

// Words, values and pictures of a scope in their order, "pairs: 39"; without what is below
// `before`, and without buttons.
inline std::vector<std::string> wordsIn(TestWindow& window, const std::string& scope,
                                        const std::string& before = "Definition") {
  std::vector<std::string> words;
  for (const Widget& widget : window.app().log().widgets()) {
    if (widget.scope != scope ||
        (widget.kind != WidgetKind::Text && widget.kind != WidgetKind::Canvas))
      continue;
    if (widget.label == before)
      break;
    words.push_back(
        withPlainSpaces(widget.label + (widget.value.empty() ? "" : ": " + widget.value)));
  }
  return words;
}

// What the status bar counts, except the frames per second.
inline std::string countsOf(TestWindow& window) {
  const Widget* counts = window.app().log().find("Status/counts");
  REQUIRE(counts);
  const std::string text = withPlainSpaces(counts->value);
  return text.substr(0, text.rfind(" · "));
}

struct PlacedBox {
  std::string label;
  Rect rect;
};

// The view has exactly these pictures, to within two points, by which type may move them; and no
// words overlap.
inline void checkBoxes(TestWindow& window, const std::vector<PlacedBox>& wanted) {
  std::vector<PlacedBox> found;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "View" && widget.kind == WidgetKind::Canvas)
      found.push_back({widget.label, widget.rect});
  CHECK(overlappingWords(window) == std::vector<std::string>{});
  REQUIRE(found.size() == wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    INFO(wanted[k].label << ": " << found[k].rect.x0 << ", " << found[k].rect.y0 << ", "
                         << found[k].rect.x1 << ", " << found[k].rect.y1);
    CHECK(found[k].label == wanted[k].label);
    const Rect& a = found[k].rect;
    const Rect& b = wanted[k].rect;
    CHECK(std::abs(a.x0 - b.x0) <= 2);
    CHECK(std::abs(a.y0 - b.y0) <= 2);
    CHECK(std::abs(a.x1 - b.x1) <= 2);
    CHECK(std::abs(a.y1 - b.y1) <= 2);
  }
}

using Words = std::vector<std::string>;

} // namespace attention::gui
