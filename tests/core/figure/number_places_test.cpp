// Numbers beside points that are explained elsewhere: laws over clouds of points.
#include "core/plot/draw_marks.h"
#include "core/plot/number_places.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

using namespace attention;

namespace {

constexpr double kSide = 13; // of the type
constexpr double kRadius = 3.6;
constexpr double kDigit = 0.6; // widths and gaps below are in type sizes
constexpr int kSamples = 40;   // along a line

using Place = LabelPlaces::Place;

// In the upper left part of the box, where mechanisms of similar cost and mass lie.
std::vector<NumberedDot> cloud(std::size_t count, const Box& box, double extent,
                               std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto share = [&] { return extent * static_cast<double>(random()) / 4294967296.0; };
  std::vector<NumberedDot> dots;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = box.x + share() * box.width;
    const double width = (k < 9 ? 1 : 2) * kDigit * kSide;
    dots.push_back({{x, box.y + share() * box.height}, kRadius, width});
  }
  return dots;
}

double apart(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double toBox(const Point& p, const Box& box) {
  return apart(p, {std::clamp(p.x, box.x, box.right()), std::clamp(p.y, box.y, box.bottom())});
}

// Slow and simple: points along a line, its ends among them.
std::vector<Point> along(const Point& from, const Point& to) {
  std::vector<Point> points;
  for (int k = 0; k <= kSamples; ++k) {
    const double share = static_cast<double>(k) / kSamples;
    points.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
  }
  return points;
}

double gap(const Box& a, const Box& b) {
  return std::max({b.x - a.right(), a.x - b.right(), b.y - a.bottom(), a.y - b.bottom()});
}

bool isNearest(const std::vector<NumberedDot>& dots, std::size_t own, const Place& place) {
  const double near = toBox(dots[own].at, place.room);
  return near < 6 * kSide && std::all_of(dots.begin(), dots.end(), [&](const auto& other) {
           const double far = toBox(other.at, place.room);
           const bool same = &other == &dots[own];
           return far >= other.radius && (place.led ? far >= std::min(near, 0.95 * kSide) - 1e-6
                                                    : same || far > near + 0.25 * kSide);
         });
}

// A dot over its own covers the beginning of a line, which then leads straight away from it.
bool isClear(const std::vector<NumberedDot>& dots, std::size_t own, const NumberPlaces& found) {
  const Point& at = dots[own].at;
  const auto points = along(at, found.places[own]->from);
  return std::all_of(points.begin(), points.end(), [&](const Point& p) {
    return std::all_of(dots.begin(), dots.end(),
                       [&](const NumberedDot& other) {
                         return apart(p, other.at) >=
                                std::min(other.radius, apart(at, other.at)) - 1e-6;
                       }) &&
           std::all_of(found.places.begin(), found.places.end(),
                       [&](const auto& place) { return !place || toBox(p, place->room) > 0; });
  });
}

bool crossed(const Point& a, const Point& b, const Point& c, const Point& d) {
  const auto side = [](const Point& from, const Point& to, const Point& p) {
    return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

void checkPair(const std::vector<NumberedDot>& dots, const NumberPlaces& found, std::size_t a,
               std::size_t b) {
  const Place& one = *found.places[a];
  const Place& two = *found.places[b];
  CHECK(gap(one.room, two.room) >= kDigit / 2 * found.type - 1e-6);
  if (one.led && two.led)
    CHECK(!crossed(dots[a].at, one.from, dots[b].at, two.from));
}

void checkPlaces(const Box& box, const std::vector<NumberedDot>& dots, const NumberPlaces& found) {
  REQUIRE(found.places.size() == dots.size());
  for (std::size_t k = 0; k < dots.size(); ++k) {
    if (!found.places[k])
      continue;
    INFO("number " << k + 1);
    const Box& room = found.places[k]->room;
    CHECK(room.x >= box.x);
    CHECK(room.y >= box.y);
    CHECK(room.right() <= box.right());
    CHECK(room.bottom() <= box.bottom());
    CHECK(isNearest(dots, k, *found.places[k]));
    CHECK((!found.places[k]->led || isClear(dots, k, found)));
    for (std::size_t other = 0; other < k; ++other)
      if (found.places[other])
        checkPair(dots, found, k, other);
  }
}

} // namespace

TEST_CASE("a number is closest to its own point, apart from others, and its line crosses nothing",
          "[figure][law]") {
  const auto count = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{6}, std::size_t{12});
  const double extent = GENERATE(1.0, 0.3);
  const Size size = GENERATE(Size{320, 240}, Size{130, 340}, Size{110, 125}, Size{200, 60});
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    INFO(count << " points, " << size.width << " by " << size.height << ", seed " << seed);
    const Box box{40, 10, size.width, size.height};
    const auto dots = cloud(count, box, extent, seed);
    checkPlaces(box, dots, placeNumbers(box, kSide, dots, LabelPlaces(box, kSide)));
  }
}

TEST_CASE("most numbers find a place, also where points are crowded", "[figure][law]") {
  const auto [size, extent, least] =
      GENERATE(std::tuple(Size{320, 240}, 1.0, 1.0), std::tuple(Size{320, 240}, 0.3, 0.9),
               std::tuple(Size{130, 340}, 0.3, 0.8), std::tuple(Size{110, 70}, 1.0, 0.8),
               std::tuple(Size{200, 60}, 0.3, 0.5));
  std::size_t told = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Box box{40, 10, size.width, size.height};
    const auto dots = cloud(12, box, extent, seed);
    told += dots.size() - missing(placeNumbers(box, kSide, dots, LabelPlaces(box, kSide)));
  }
  INFO(size.width << " by " << size.height << " in " << extent << ": " << told << " of 240");
  CHECK(static_cast<double>(told) >= least * 240);
}

TEST_CASE("numbers are smaller only where more of them find a place that way", "[figure]") {
  const Box box{40, 10, 320, 240};
  const auto two = cloud(2, box, 1, 0);
  CHECK(placeNumbers(box, kSide, two, LabelPlaces(box, kSide)).type == kSide);
  const Box low{40, 10, 66, 52};
  const auto many = cloud(8, low, 1, 5);
  const NumberPlaces crowded = placeNumbers(low, kSide, many, LabelPlaces(low, kSide));
  CHECK(crowded.type < kSide);
  CHECK(missing(crowded) < many.size());
  checkPlaces(low, many, crowded);
}

TEST_CASE("a number stays off the lines of its plot where it can", "[figure]") {
  const Box box{40, 10, 320, 240};
  LabelPlaces around(box, kSide);
  around.avoid({40, 130}, {360, 130});
  around.avoid({200, 130}, {360, 250});
  const NumberPlaces found = placeNumbers(box, kSide, {{{200, 130}, kRadius, 8}}, around);
  REQUIRE(missing(found) == 0);
  CHECK(!around.crossed(found.places[0]->room));
  CHECK(!found.places[0]->led);
}

TEST_CASE("a plot without names draws the numbers that have places and nothing for the others",
          "[figure]") {
  const auto count = GENERATE(std::size_t{1}, std::size_t{12}, std::size_t{40});
  CurvesMark mark;
  mark.x = {"x", Scale::Linear, 0, 1};
  mark.y = {"y", Scale::Linear, 0, 1};
  for (std::size_t k = 0; k < count; ++k)
    mark.named.push_back({{0.5, 0.5}, ""});
  DisplayList list;
  drawNamedPoints(mark, {40, 10, 320, 240}, PlotStyle(), {kMeasure, LayoutOptions(), Run(), list});
  const auto numbers = all<Text>(list);
  CHECK(!numbers.empty());
  CHECK(numbers.size() <= count);
  CHECK(all<Markers>(list).size() == count);
  CHECK(all<Polyline>(list).size() == (count == 1 ? 0 : numbers.size()));
}
