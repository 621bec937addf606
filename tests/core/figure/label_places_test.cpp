// Words beside points: a law over clouds of points, scattered and crowded.
#include "core/plot/draw_marks.h"
#include "core/plot/ticks.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

using namespace attention;

namespace {

constexpr double kSide = 13;     // of the type
constexpr double kDigits = 0.73; // their height in type sizes

// Half of the clouds lie in a corner, like mechanisms of similar cost.
CurvesMark cloud(std::size_t count, double extent, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto number = [&] { return extent * static_cast<double>(random()) / 4294967296.0; };
  CurvesMark mark;
  mark.x = {"x", Scale::Linear, 0, 1};
  mark.y = {"y", Scale::Linear, 0, 1};
  for (std::size_t k = 0; k < count; ++k) {
    const double x = number();
    mark.named.push_back({{x, number()}, "m" + std::to_string(k + 1)});
  }
  Curve front;
  front.kind = CurveKind::Theory;
  front.points = {{0, 0}, {extent, extent}};
  mark.curves.push_back(std::move(front));
  return mark;
}

double toBox(const Point& p, const Box& box) {
  return std::hypot(p.x - std::clamp(p.x, box.x, box.right()),
                    p.y - std::clamp(p.y, box.y, box.bottom()));
}

// A line from the point to its label, or to within `end` of it.
bool isLed(const DisplayList& list, const Point& point, const Box& words, double end) {
  for (const Polyline& line : all<Polyline>(list))
    if (line.points.size() == 2 &&
        std::hypot(line.points[0].x - point.x, line.points[0].y - point.y) < 1e-6 &&
        toBox(line.points[1], words) < end)
      return true;
  return false;
}

// Inside the plot, apart from one another, and closest to their own point or joined to it.
void checkLabels(const CurvesMark& mark, const Box& box, const DisplayList& list, bool numbers) {
  std::vector<Box> rooms;
  for (const Text& text : all<Text>(list)) {
    if (text.at.x > box.right())
      continue; // of the list
    const double high = numbers ? kDigits * text.size : kLineHeight * kSide;
    const Box room{text.at.x, text.at.y - 0.35 * text.size - high / 2,
                   measured(text.text, text.size, numbers), high};
    INFO(text.text);
    CHECK(room.x >= box.x);
    CHECK(room.right() <= box.right());
    CHECK(room.y >= box.y - 1e-9);
    CHECK(room.bottom() <= box.bottom() + 1e-9);
    for (const Box& other : rooms)
      CHECK(!overlap(room, other));
    rooms.push_back(room);
    const auto own = static_cast<std::size_t>(std::stoi(text.text.substr(numbers ? 0 : 1))) - 1;
    const Point at = placeOf(mark, box, mark.named.at(own).at);
    const bool nearest = std::all_of(mark.named.begin(), mark.named.end(), [&](const auto& point) {
      return &point == &mark.named[own] ||
             toBox(placeOf(mark, box, point.at), room) > toBox(at, room);
    });
    CHECK((nearest || isLed(list, at, room, 0.35 * kSide)));
  }
  CHECK((rooms.size() == mark.named.size() || !numbers || box.height < 100));
}

} // namespace

TEST_CASE("no label of a point can be taken for another point's", "[figure][law]") {
  const auto count = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{6}, std::size_t{12});
  const double extent = GENERATE(1.0, 0.3);
  const Size size = GENERATE(Size{320, 240}, Size{130, 340}, Size{110, 125}, Size{200, 60});
  const bool numbers = GENERATE(true, false);
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    INFO(count << " points, " << size.width << " by " << size.height << ", seed " << seed);
    const CurvesMark mark = cloud(count, extent, seed);
    const Box box{40, 10, size.width, size.height};
    PlotStyle style;
    style.type = kSide;
    style.names = !numbers;
    DisplayList list;
    drawNamedPoints(mark, box, style, {kMeasure, LayoutOptions(), Run(), list});
    checkLabels(mark, box, list, numbers);
  }
}

TEST_CASE("labels of points in one place are all joined to it", "[figure]") {
  CurvesMark mark = cloud(3, 1, 0);
  for (NamedPoint& point : mark.named)
    point.at = {0.5, 0.5};
  const Box box{40, 10, 320, 240};
  DisplayList list;
  drawNamedPoints(mark, box, PlotStyle(), {kMeasure, LayoutOptions(), Run(), list});
  checkLabels(mark, box, list, true);
}

TEST_CASE("a point too close to the axis for a label beside it has it just below or above",
          "[figure]") {
  const Box box{40, 10, 320, 240};
  CurvesMark mark = cloud(2, 1, 0);
  mark.named[0].at = {10 / box.width, 0.98};
  mark.named[1].at = {18 / box.width, 0.94};
  mark.curves[0].points = {mark.named[0].at, mark.named[1].at, {0.2, 0.1}};
  DisplayList list;
  drawNamedPoints(mark, box, PlotStyle(), {kMeasure, LayoutOptions(), Run(), list});
  checkLabels(mark, box, list, true);
  const std::vector<Text> words = all<Text>(list);
  REQUIRE(!words.empty());
  REQUIRE(words.front().text == "1");
  const Point at = placeOf(mark, box, mark.named[0].at);
  CHECK(toBox(at, boxOf(words.front())) < kSide);
}
