// Words of a diagram whose lines are close: labels beside it, and those that shrink.
#include "core/plot/draw_marks.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

#include <string>
#include <vector>

using namespace attention;

namespace {

// Beside lines that are `apart` pixels apart.
std::vector<std::string> writtenBeside(const std::vector<std::string>& words, double apart) {
  DiagramMark mark;
  mark.width = 100;
  mark.height = 100;
  for (std::size_t k = 0; k < words.size(); ++k) {
    DiagramText text;
    text.at = {100, 20 + apart * static_cast<double>(k)};
    text.text = words[k];
    text.yields = text.beside = true;
    mark.texts.push_back(text);
  }
  DisplayList list;
  drawDiagram(mark, {0, 0, 100, 100}, PlotStyle(), {kMeasure, LayoutOptions(), Run(), list});
  std::vector<std::string> written;
  for (const Text& text : all<Text>(list))
    written.push_back(text.text);
  return written;
}

} // namespace

TEST_CASE("labels beside close lines are cut to the numbers at their end", "[figure]") {
  using Words = std::vector<std::string>;
  CHECK(writtenBeside({"round 1", "round 2"}, 20) == Words{"round 1", "round 2"});
  CHECK(writtenBeside({"round 1", "round 2", "round 12"}, 13) == Words{"round 1", "2", "12"});
  CHECK(writtenBeside({"by bucket", "by round"}, 20) == Words{"by bucket", "by round"});
  CHECK(writtenBeside({"by bucket", "by round"}, 13) == Words{"by bucket"});
  CHECK(writtenBeside({"layer 1a", "layer 2b"}, 13) == Words{"layer 1a"});
}

TEST_CASE("words that shrink keep to their line, but stay readable", "[figure]") {
  const auto typeIn = [](double line) {
    DiagramMark mark;
    mark.width = 100;
    mark.height = 100;
    DiagramText text{{0, 50}, "12"};
    text.room = 100;
    text.shrinks = true;
    text.line = line;
    mark.texts.push_back(text);
    DisplayList list;
    // Two pixels per unit.
    drawDiagram(mark, {0, 0, 200, 200}, PlotStyle(), {kMeasure, LayoutOptions(), Run(), list});
    return all<Text>(list).at(0).size;
  };
  const double usual = typeIn(0);
  CHECK(typeIn(usual) == usual);
  CHECK(typeIn(usual / 2) < usual);
  CHECK(typeIn(usual / 2) > 0.7 * usual);
  CHECK(typeIn(usual / 100) == Approx(0.55 * usual));
}
