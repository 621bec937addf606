// Labels of points and curves where there is little room: none vanish, none touch.
#include "core/plot/draw_marks.h"
#include "core/plot/layout.h"
#include "core/plot/plot_margins.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

using namespace attention;

namespace {

// Mechanisms of similar cost, and one that costs most, under a front.
Plot crowd(std::size_t count) {
  CurvesMark mark;
  mark.x = {"FLOPs", Scale::Log10, 1e4, 1e7};
  mark.y = {"captured mass", Scale::Linear, 0, 1};
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = static_cast<double>(k);
    mark.named.push_back(
        {{2e4 * (1 + 0.1 * at), 0.4 + 0.01 * at}, "mechanism " + std::to_string(100 + k), k % 8});
  }
  Curve front;
  front.label = "Pareto front";
  front.kind = CurveKind::Theory;
  front.points = {{1e4, 0.3}, {1e6, 0.9}};
  mark.curves.push_back(std::move(front));
  return {std::move(mark), std::nullopt, std::nullopt};
}

std::vector<std::string> wordsOf(const DisplayList& list) {
  std::vector<std::string> words;
  for (const Text& text : all<Text>(list))
    words.push_back(text.text);
  return words;
}

bool has(const std::vector<std::string>& words, const std::string& wanted) {
  return std::find(words.begin(), words.end(), wanted) != words.end();
}

Plot curvePlot(double top, const std::string& label) {
  CurvesMark mark;
  mark.x = {"n", Scale::Linear, 0, 100};
  mark.y = {"", Scale::Linear, 0, top};
  Curve curve;
  curve.label = label;
  curve.points = {{0, 0}, {100, top}};
  mark.curves.push_back(std::move(curve));
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace

TEST_CASE("every point keeps its name beside its dot or in a list", "[figure]") {
  const auto count = GENERATE(std::size_t{1}, std::size_t{3}, std::size_t{8}, std::size_t{13});
  const Size size = GENERATE(Size{900, 600}, Size{420, 320}, Size{330, 290});
  const double type = GENERATE(13.0, 15.0);
  const PlacedPlot placed = layoutPlot(crowd(count), size, {type}, kMeasure);
  checkWords(placed.list);
  const auto words = wordsOf(placed.list);
  INFO(count << " in " << size.width);
  const bool beside = has(words, "mechanism 100");
  for (std::size_t k = 0; k < count; ++k) {
    const std::string name = "mechanism " + std::to_string(100 + k);
    if (beside) {
      CHECK(has(words, name));
      continue;
    }
    const std::string number = std::to_string(k + 1);
    CHECK(has(words, number)); // beside the dot
    CHECK(std::any_of(words.begin(), words.end(), [&](const std::string& of) {
      return of.rfind(number + " mechan", 0) == 0; // in the list
    }));
  }
  CHECK((count > 3 || beside));
  CHECK((count < 13 || size.width > 500 || !beside));
}

TEST_CASE("a list too short for all names says how many more there are", "[figure]") {
  const auto placed = layoutPlot(crowd(13), {330, 150}, {13}, kMeasure);
  const auto words = wordsOf(placed.list);
  std::size_t listed = 0;
  for (std::size_t k = 1; k <= 13; ++k)
    if (std::any_of(words.begin(), words.end(), [&](const std::string& of) {
          return of.rfind(std::to_string(k) + " mechan", 0) == 0;
        }))
      ++listed;
  CHECK(listed >= 3);
  CHECK(has(words, "and " + std::to_string(13 - listed) + " more"));
}

TEST_CASE("a point that rounding lifts beyond its axis stays in the picture", "[figure]") {
  Plot plot = crowd(1);
  std::get<CurvesMark>(plot.mark).named.front().at.y = 1 + 1e-9;
  CHECK(all<Markers>(layoutPlot(plot, {600, 400}, {13}, kMeasure).list).size() == 1);
}

TEST_CASE("crowded points are numbered in exports too", "[figure]") {
  Figure figure;
  figure.panels.push_back({"", {crowd(13)}, {}});
  const auto small = wordsOf(layout(figure, Size{500, 380}, kMeasure));
  CHECK(has(small, "13 mechanism 112"));
  figure.panels.front().plots = {crowd(2)};
  CHECK(has(wordsOf(layout(figure, Size{500, 380}, kMeasure)), "mechanism 101"));
}

TEST_CASE("numbers whose names stand elsewhere have short lines in windows and exports alike",
          "[figure]") {
  const Size size = GENERATE(Size{420, 320}, Size{330, 290}, Size{330, 200});
  Plot named = crowd(13);
  for (NamedPoint& point : std::get<CurvesMark>(named.mark).named)
    point.at = {2e4, 0.4}; // too many in one place
  PlotLook look;
  look.named = false;
  Figure figure;
  figure.panels.push_back({"", {withoutNames(named)}, {}});
  for (const DisplayList& list :
       {layoutPlot(named, size, look, kMeasure).list, layout(figure, size, kMeasure)}) {
    const double type = all<Text>(list).front().size;
    std::size_t lines = 0;
    for (const Polyline& line : all<Polyline>(list)) {
      if (line.color != figureColors(FigureTheme::Light).dim || line.points.size() != 2)
        continue;
      ++lines;
      CHECK(std::abs(line.points[1].x - line.points[0].x) < 5 * type);
      CHECK(std::abs(line.points[1].y - line.points[0].y) < 6 * type);
    }
    CHECK(lines > 0);
  }
}

TEST_CASE("long words at the end of a curve leave the plot its room", "[figure]") {
  const Plot plot = curvePlot(1, "graph, kind small_world, k 2, p 0.3, seed 1, self loops");
  const PlacedPlot placed = layoutPlot(plot, {300, 200}, {13}, kMeasure);
  CHECK(placed.box.width > 0.4 * 300);
  checkWords(placed.list);
  const auto words = wordsOf(placed.list);
  CHECK(std::count(words.begin(), words.end(), "graph") == 1);
}

TEST_CASE("plots one above the other have their axes aligned", "[figure]") {
  const Plot narrow = curvePlot(1, "");
  const Plot wide = curvePlot(20000, "causal");
  const std::array<const Plot*, 2> plots{&narrow, &wide};
  const PlotLook look = alignedLook(plots, 300, {13}, kMeasure);
  const Box a = layoutPlot(narrow, {300, 100}, look, kMeasure).box;
  const Box b = layoutPlot(wide, {300, 100}, look, kMeasure).box;
  CHECK(a.x == b.x);
  CHECK(a.right() == b.right());
  CHECK(layoutPlot(narrow, {300, 100}, {13}, kMeasure).box.x < a.x);
}

TEST_CASE("a plot without its own x axis is higher by the height of the axis", "[figure]") {
  const Plot plot = curvePlot(20, "causal");
  PlotLook look{13};
  const PlacedPlot whole = layoutPlot(plot, {300, 150}, look, kMeasure);
  look.across = false;
  const PlacedPlot bare = layoutPlot(plot, {300, 150}, look, kMeasure);
  CHECK(std::abs(bare.box.height - whole.box.height - acrossHeight(13)) < 1e-9);
  CHECK(bare.box.x == whole.box.x);
  for (const Text& text : all<Text>(bare.list))
    CHECK(text.at.y <= bare.box.bottom() + 13);
}

TEST_CASE("a low axis has two ticks where two have room", "[figure]") {
  for (const double end : {1.0, 4.97, 0.62, 300.0})
    for (const double length : {24.0, 40.0, 55.0, 80.0}) {
      const auto ticks = ticksUp({"", Scale::Linear, 0, end}, length, 13);
      INFO(end << " on " << length);
      REQUIRE(ticks.size() >= 2);
      CHECK(ticks.back().at / end * length >= 13);
    }
  CHECK(ticksUp({"", Scale::Linear, 0, 4.97}, 12, 13).size() == 1);
}
