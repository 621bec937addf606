// Words beside the ends of lines between tokens, as they are painted.
#include "core/figure/cairo_painter.h"
#include "core/figure/draw_links.h"
#include "tests/catch.h"

#include <algorithm>
#include <set>

namespace attention {
namespace {

LinksMark markOf(Index tokens) {
  LinksMark mark;
  for (Index k = 0; k < tokens; ++k) {
    mark.queries.push_back("q" + std::to_string(k));
    mark.keys.push_back("k" + std::to_string(k));
  }
  return mark;
}

std::vector<Text> textsOf(const LinksMark& mark, double height) {
  DisplayList list;
  const TextMeasure measure = cairoMeasure();
  const LayoutOptions options;
  drawLinks(mark, {100, 20, 300, height}, PlotStyle(), {measure, options, Run(), list});
  std::vector<Text> texts;
  for (const auto& primitive : list.items)
    if (const auto* text = std::get_if<Text>(&primitive))
      texts.push_back(*text);
  return texts;
}

std::set<std::string> wordsOf(const LinksMark& mark, double height) {
  std::set<std::string> words;
  for (const Text& text : textsOf(mark, height))
    words.insert(text.text);
  return words;
}

TEST_CASE("every token of a part has its word in full type where lines of words have room") {
  const LinksMark mark = markOf(40);
  for (const Text& text : textsOf(mark, 40 * 13.5))
    CHECK(text.size == PlotStyle().type);
  const auto words = wordsOf(mark, 40 * 13.5);
  for (Index k = 0; k < 40; ++k) {
    CHECK(words.contains("q" + std::to_string(k)));
    CHECK(words.contains("k" + std::to_string(k)));
  }
}

TEST_CASE("crowded words are those at the ends of the strongest lines, and touch none") {
  LinksMark mark = markOf(40);
  mark.links = {{7, 12, 0.4}, {8, 31, 1}, {21, 3, 0.7}};
  mark.query = 15;
  const double height = 40 * 5;
  const auto words = wordsOf(mark, height);
  CHECK(words.size() < 40);
  for (const char* word : {"q15", "q8", "q21", "k31", "k3", "k12"})
    CHECK(words.contains(word));
  CHECK_FALSE(words.contains("q7")); // beside q8, which ends a stronger line
  for (const char side : {'q', 'k'}) {
    std::vector<Text> column;
    for (const Text& text : textsOf(mark, height))
      if (text.text.front() == side && text.text.size() <= 3)
        column.push_back(text);
    std::sort(column.begin(), column.end(),
              [](const Text& a, const Text& b) { return a.at.y < b.at.y; });
    for (std::size_t k = 1; k < column.size(); ++k)
      CHECK(column[k].at.y - column[k - 1].at.y >= column[k].size);
  }
}

} // namespace
} // namespace attention
