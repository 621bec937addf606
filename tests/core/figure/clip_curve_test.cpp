#include "core/plot/plane.h"
#include "tests/catch.h"

#include <limits>

using namespace attention;

namespace {

constexpr Box kBox{0, 0, 10, 10};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double areaOf(const std::vector<Strip>& strips) {
  double area = 0;
  for (const Strip& strip : strips)
    for (std::size_t k = 1; k < strip.above.size(); ++k) {
      const double width = strip.above[k].x - strip.above[k - 1].x;
      const double left = strip.below[k - 1].y - strip.above[k - 1].y;
      const double right = strip.below[k].y - strip.above[k].y;
      area += width * (left + right) / 2;
    }
  return area;
}

} // namespace

TEST_CASE("a line inside the box stays whole") {
  const std::vector<Point> line{{1, 1}, {5, 9}, {9, 2}};
  CHECK(insideBox(line, kBox) == std::vector<std::vector<Point>>{line});
  CHECK(insideBox(std::vector<Point>{{1, 1}}, kBox).empty());
}

TEST_CASE("a line along an edge stays whole whatever the rounding of its points") {
  const std::vector<Point> line{{1, 5}, {4, -1e-13}, {6, 1e-13}, {9, -2e-13}};
  const std::vector<Point> onEdge{{1, 5}, {4, 0}, {6, 0}, {9, 0}};
  CHECK(insideBox(line, kBox) == std::vector<std::vector<Point>>{onEdge});
}

TEST_CASE("a line that leaves the box is cut at its edge and continues where it comes back") {
  const std::vector<Point> line{{0, 5}, {4, 15}, {8, 5}};
  const auto pieces = insideBox(line, kBox);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0] == std::vector<Point>{{0, 5}, {2, 10}});
  CHECK(pieces[1] == std::vector<Point>{{6, 10}, {8, 5}});
  CHECK(insideBox(std::vector<Point>{{0, 20}, {10, 30}}, kBox).empty());
}

TEST_CASE("points that are not finite split a line") {
  const std::vector<Point> line{{0, 1}, {2, 1}, {3, kNaN}, {4, 1}, {5, 1}, {6, kInfinity}, {7, 1}};
  const auto pieces = insideBox(line, kBox);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].size() == 2);
  CHECK(pieces[1].size() == 2);
}

TEST_CASE("a strip keeps exactly its area inside the box") {
  const Color blue = colorOf(0x0000ff);
  // A triangle that stands out of the box: of its area 40, the tip of 10 lies above.
  const Strip tip{{{0, 10}, {5, -5 + 0.0}, {10, 10}}, {{0, 10}, {5, 10}, {10, 10}}, blue};
  const double whole = 0.5 * 10 * 15;
  const double outside = 0.5 * (10 * 5.0 / 15) * 5;
  CHECK(areaOf(insideBox(tip, kBox)) == Approx(whole - outside));
  const Strip inner{{{1, 2}, {9, 3}}, {{1, 4}, {9, 8}}, blue};
  CHECK(insideBox(inner, kBox) == std::vector<Strip>{inner});
  const Strip beside{{{-4, 2}, {6, 2}}, {{-4, 4}, {6, 4}}, blue};
  CHECK(areaOf(insideBox(beside, kBox)) == Approx(12));
}

TEST_CASE("infinite bounds of a strip fill to the edge and missing ones split it") {
  const Color blue = colorOf(0x0000ff);
  const Strip open{{{0, 5}, {10, 5}}, {{0, kInfinity}, {10, kInfinity}}, blue};
  CHECK(areaOf(insideBox(open, kBox)) == Approx(50));
  const Strip gap{
      {{0, 5}, {2, 5}, {4, kNaN}, {6, 5}, {8, 5}}, {{0, 6}, {2, 6}, {4, 6}, {6, 6}, {8, 6}}, blue};
  CHECK(insideBox(gap, kBox).size() == 2);
  CHECK(areaOf(insideBox(gap, kBox)) == Approx(4));
}
