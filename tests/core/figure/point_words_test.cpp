// What pointers are told, in the window and in pages: points of curves, hops, receptive fields.
#include "core/analysis/reach/reach_text.h"
#include "core/plot/point_words.h"
#include "tests/catch.h"

#include <cmath>

using namespace attention;

namespace {

CurvesMark curvesOver(const std::string& x, const std::string& y) {
  CurvesMark mark;
  mark.x.label = x;
  mark.y.label = y;
  return mark;
}

} // namespace

TEST_CASE("points of curves are told by the names of their axes", "[figure]") {
  const CurvesMark mark = curvesOver("n", "relative error");
  CHECK(pointWords(mark, "", {7, 0.92}) == "n = 7: relative error = 0.92");
  CHECK(pointWords(mark, "trig, iid", {64, 1e-5}) ==
        "trig, iid · n = 64: relative error = 1 × 10⁻⁵");
  CHECK(pointWords(curvesOver("query i", ""), "", {7, 0.5}, "captured mass") ==
        "query i = 7: captured mass = 0.5");
  CHECK(pointWords(curvesOver("", ""), "", {7, 0.5}) == "7: 0.5");
}

TEST_CASE("whole numbers of curves are told whole", "[figure]") {
  const CurvesMark mark = curvesOver("n", "pairs");
  CHECK(pointWords(mark, "", {65536, 12345}) == "n = 65\u2009536: pairs = 12\u2009345");
  CHECK(pointWords(mark, "", {1073741824, 4e6}) ==
        "n = 1\u2009073\u2009741\u2009824: pairs = 4 × 10⁶");
  CHECK(pointWords(mark, "", {1234.56, -3}) == "n = 1\u2009235: pairs = −3");
  CHECK(pointWords(mark, "", {1, std::nan("")}) == "n = 1: pairs = NaN");
}

TEST_CASE("hops and receptive fields say who reaches whom", "[reach]") {
  CHECK(hopsText("25", "10", -1, false) == "j = 25 never reaches i = 10");
  CHECK(hopsText("3", "9", 1, false) == "j = 3 reaches i = 9 after 1 layer");
  CHECK(hopsText("{key}", "{query}", 2, true) ==
        "j = {key} reaches i = {query} after 2 layers, and is lost again: not through all layers");
  CHECK(reachText("3", "8", 3, true) == "Through 3 layers, key 3 reaches query 8");
  CHECK(reachText("1", "8", 1, false) == "Through 1 layer, key 1 does not reach query 8");
}
