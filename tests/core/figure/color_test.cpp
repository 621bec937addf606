// Coloured text: a contrast of seven to one, and still that hue.
#include "core/plot/color.h"
#include "core/plot/diagram.h"
#include "core/plot/layout.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <array>

using namespace attention;

namespace {

// Which channels are above which.
std::array<bool, 3> orderOf(const Color& c) {
  return {c.r >= c.g, c.g >= c.b, c.r >= c.b};
}

FigureTheme anyTheme() {
  return GENERATE(FigureTheme::Light, FigureTheme::Dark);
}

} // namespace

TEST_CASE("contrast is that of WCAG") {
  CHECK(contrast(colorOf(0x000000), colorOf(0xffffff)) == Approx(21));
  CHECK(contrast(colorOf(0x767676), colorOf(0xffffff)) == Approx(4.54).margin(0.01));
  CHECK(contrast(colorOf(0x56b4e9), colorOf(0x56b4e9)) == Approx(1));
}

TEST_CASE("every hue as text has a contrast of seven to one and stays that hue") {
  const FigureColors& colors = figureColors(anyTheme());
  for (const Color& hue : colors.series)
    for (const Color& ground : {colors.ground, colors.empty}) {
      INFO(int(hue.r) << ' ' << int(hue.g) << ' ' << int(hue.b));
      const Color words = readable(hue, ground);
      CHECK(contrast(words, ground) >= kReadable);
      CHECK(orderOf(words) == orderOf(hue));
      CHECK(contrast(words, ground) <= std::max(contrast(hue, ground), kReadable + 0.2));
      if (contrast(hue, ground) >= kReadable)
        CHECK(words == hue);
    }
}

TEST_CASE("text on a mid-grey background turns black or white, whichever has more contrast") {
  CHECK(readable(colorOf(0x0072b2), colorOf(0x777777)) == colorOf(0x000000));
  CHECK(readable(colorOf(0x0072b2), colorOf(0x757575)) == colorOf(0xffffff));
}

TEST_CASE("labels of curves have a contrast of seven to one beside lines of the pure hue") {
  const FigureTheme theme = anyTheme();
  const FigureColors& colors = figureColors(theme);
  CurvesMark mark;
  mark.x = {"n", Scale::Linear, 0, 10};
  mark.y = {"", Scale::Linear, 0, 10};
  for (std::size_t hue = 0; hue < colors.series.size(); ++hue) {
    Curve curve;
    curve.label = "curve";
    curve.hue = hue;
    const auto y = static_cast<double>(hue);
    curve.points = {{0, y}, {10, y}};
    mark.curves.push_back(std::move(curve));
  }
  const auto list = layoutPlot({std::move(mark), {}, {}}, {600, 400}, {13, theme}, kMeasure).list;
  for (const Text& text : all<Text>(list))
    CHECK(contrast(text.color, colors.ground) >= kReadable);
  const auto lines = all<Polyline>(list);
  for (const Color& hue : colors.series)
    CHECK(std::any_of(lines.begin(), lines.end(),
                      [&](const Polyline& line) { return line.color == hue; }));
}

TEST_CASE("a larger value has a stronger shade, and the text on it can be read") {
  const FigureTheme theme = anyTheme();
  const FigureColors& colors = figureColors(theme);
  constexpr int kValues = 40; // that are told apart in bytes
  for (std::size_t hue = 0; hue < colors.series.size(); ++hue) {
    CAPTURE(hue);
    const Color& pure = colors.series[hue];
    CHECK(shade(pure, 0, theme) == colors.ground);
    double last = 1;
    for (int k = 1; k <= kValues; ++k) {
      const Color now = shade(pure, static_cast<double>(k) / kValues, theme);
      CHECK(contrast(now, colors.ground) > last);
      CHECK(contrast(now, colors.text) >= 4.5);
      last = contrast(now, colors.ground);
    }
    CHECK(last > 2.5);
    // As 0.67, 0.77 and 1 of a row of weights, in both themes.
    const auto away = [&](double share) {
      return contrast(shade(pure, share, theme), colors.ground);
    };
    CHECK(away(0.77) > 1.09 * away(0.67));
    CHECK(away(1) > 1.2 * away(0.77));
  }
}

TEST_CASE("shades of a diagram and of a text are in the order of their values") {
  const FigureTheme theme = anyTheme();
  const FigureColors& colors = figureColors(theme);
  constexpr std::array kValues{0.05, 0.187, 0.5, 0.67, 0.768, 1.0};
  const auto rises = [&](const Plot& plot) {
    const auto fills = all<FillBoxes>(layoutPlot(plot, {600, 100}, {13, theme}, kMeasure).list);
    REQUIRE(fills.size() == kValues.size());
    double last = 1.02;
    for (const FillBoxes& fill : fills) {
      CHECK(contrast(fill.color, colors.ground) > last);
      last = 1.05 * contrast(fill.color, colors.ground);
    }
  };
  DiagramMark diagram;
  diagram.width = 6;
  RunningTextMark text;
  for (std::size_t k = 0; k < kValues.size(); ++k) {
    diagram.fills.push_back({{{static_cast<double>(k), 0, 1, 1}}, 0, kValues[k], WordsOn::Shade});
    text.tokens.push_back({"word", false, 0, kValues[k]});
  }
  rises({std::move(diagram), {}, {}});
  rises({std::move(text), {}, {}});
}

TEST_CASE("boxes under text are as dark or pale as the text needs") {
  const FigureTheme theme = anyTheme();
  const FigureColors& colors = figureColors(theme);
  const std::array<std::pair<WordsOn, Color>, 3> kinds{
      {{WordsOn::Ground, colors.ground}, {WordsOn::Text, colors.text}, {WordsOn::Dim, colors.dim}}};
  for (const auto& [words, color] : kinds)
    for (std::size_t hue = 0; hue < colors.series.size(); ++hue) {
      DiagramMark mark;
      const double share = words == WordsOn::Ground ? 1 : words == WordsOn::Text ? 0.5 : 0.22;
      mark.fills.push_back({{{0, 0, 1, 1}}, hue, share, words});
      const auto list =
          layoutPlot({std::move(mark), {}, {}}, {100, 100}, {13, theme}, kMeasure).list;
      CHECK(contrast(all<FillBoxes>(list).front().color, color) >= kReadable);
    }
}
