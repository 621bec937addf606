// What the painter of pictures makes of the primitives, checked pixel by pixel.
#include "core/export/cairo_painter.h"
#include "tests/catch.h"

#include <cmath>
#include <numeric>

using namespace attention;

namespace {

constexpr Color kWhite{255, 255, 255};
constexpr Color kBlack{0, 0, 0};

bool inked(const Image& image, int x, int y) {
  const Color& c =
      image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                   static_cast<std::size_t>(x)];
  return c.r < 128;
}

// Where ink begins and ends along a row of pixels.
std::vector<int> edgesOf(const Image& image, int y) {
  std::vector<int> edges;
  for (int x = 0; x < image.width; ++x)
    if (inked(image, x, y) != (edges.size() % 2 == 1))
      edges.push_back(x);
  return edges;
}

double inkOf(const Image& image) {
  return std::accumulate(image.pixels.begin(), image.pixels.end(), 0.0,
                         [](double sum, const Color& c) { return sum + (255 - c.r) / 255.0; });
}

} // namespace

TEST_CASE("dashes are as long as their list says, in widths of the line") {
  const Dash dash = GENERATE(Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDotted);
  const double width = GENERATE(5.0, 10.0);
  const int scale = GENERATE(1, 2);
  DisplayList list{{400, 40}, kWhite, {}};
  list.add(Polyline{{{0, 20}, {400, 20}}, kBlack, width, dash});
  const Image image = paintImage(list, scale);
  const std::vector<int> edges = edgesOf(image, 20 * scale);
  const auto lengths = dashLengths(dash);
  INFO("width " << width << ", scale " << scale);
  if (lengths.empty()) {
    CHECK(edges == std::vector<int>{0});
  } else {
    std::vector<double> expected{0};
    for (std::size_t k = 0; expected.back() < image.width; ++k)
      expected.push_back(expected.back() + lengths[k % lengths.size()] * width * scale);
    expected.pop_back();
    REQUIRE(edges.size() == expected.size());
    for (std::size_t k = 0; k < edges.size(); ++k)
      CHECK(edges[k] == Approx(expected[k]).margin(1.01));
  }
  for (const int y : {20 - static_cast<int>(width / 2) - 1, 20 + static_cast<int>(width / 2) + 1})
    CHECK(edgesOf(image, y * scale).empty()); // the line has its stated width
}

TEST_CASE("a line after a broken one is whole again") {
  DisplayList list{{100, 40}, kWhite, {}};
  list.add(Polyline{{{0, 10}, {100, 10}}, kBlack, 4, Dash::Dotted});
  list.add(StrokeBox{{20, 20, 60, 10}, kBlack, 4});
  const Image image = paintImage(list, 1);
  CHECK(edgesOf(image, 20) == std::vector<int>{18, 82});
}

TEST_CASE(
    "characters of one to four bytes are one each, and broken ones a question mark per byte") {
  const TextMeasure measure = cairoMeasure();
  const auto width = [&](const std::string& text) { return measure(text, 100, false); };
  for (const std::string sign : {"A", "é", "≤", "𝔸"}) {
    INFO(sign);
    CHECK(width(sign) > 20);
    CHECK(width(sign) < 130); // two question marks and fewer are more
    CHECK(width(sign + sign) == Approx(2 * width(sign)).margin(1));
    CHECK(width("?" + sign + "?") == Approx(2 * width("?") + width(sign)).margin(1));
  }
  const auto marks = [&](double count) { return Approx(count * width("?")).margin(1); };
  CHECK(width("\xC3") == marks(1));
  CHECK(width("\xE2\x89") == marks(2));
  CHECK(width("\xF0\x9D\x94") == marks(3));
  CHECK(width("\xF8\x9D\x94\xB8") == marks(4));
  CHECK(width("\x9D") == marks(1));
  CHECK(width("\xFF\xFF") == marks(2));
}

TEST_CASE("a character of four bytes is drawn as itself") {
  const auto drawn = [](const std::string& text) {
    DisplayList list{{400, 60}, kWhite, {}};
    list.add(Text{{10, 40}, text, 32, kBlack});
    return paintImage(list, 1).pixels;
  };
  CHECK(drawn("𝔸") != drawn("????"));
  CHECK(drawn("𝔸") != drawn(""));
  CHECK(drawn("𝔸") != drawn("𝔹"));
  CHECK(drawn("\xF0\x9D\x94") == drawn("???"));
}

TEST_CASE("text begins, is centred or ends at its place, and upward text is turned to the left") {
  for (const TextAlign align : {TextAlign::Left, TextAlign::Center, TextAlign::Right}) {
    DisplayList list{{200, 200}, kWhite, {}};
    list.add(Text{{100, 100}, "HHHH", 20, kBlack, align});
    const Image across = paintImage(list, 1);
    std::get<Text>(list.items.front()).upwards = true;
    const Image upwards = paintImage(list, 1);
    int first = 200;
    int last = 0;
    int top = 200;
    int bottom = 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 200; ++x) {
        if (inked(across, x, y)) {
          first = std::min(first, x);
          last = std::max(last, x);
          CHECK(y <= 100); // above the baseline
        }
        if (inked(upwards, x, y)) {
          top = std::min(top, y);
          bottom = std::max(bottom, y);
          CHECK(x <= 100);
        }
      }
    const double width = cairoMeasure()("HHHH", 20, false);
    const double begin = align == TextAlign::Left     ? 100
                         : align == TextAlign::Center ? 100 - width / 2
                                                      : 100 - width;
    // The character has a little room on both sides.
    CHECK(first == Approx(begin).margin(4));
    CHECK(last == Approx(begin + width).margin(4));
    CHECK(bottom == Approx(200 - begin).margin(4));
    CHECK(top == Approx(200 - begin - width).margin(4));
  }
}

TEST_CASE("boxes cover their cells, strips the area between their lines, discs their circle") {
  DisplayList boxes{{100, 100}, kWhite, {}};
  boxes.add(FillBoxes{{{1, 2, 3, 4}, {6, 2, 1, 1}}, kBlack, {10, 20}, {5, 10}});
  const Image filled = paintImage(boxes, 1);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x) {
      const bool first = x >= 15 && x < 30 && y >= 40 && y < 80;
      const bool second = x >= 40 && x < 45 && y >= 40 && y < 50;
      CHECK(inked(filled, x, y) == (first || second));
    }
  DisplayList strip{{100, 100}, kWhite, {}};
  strip.add(Strip{{{10, 10}, {90, 10}}, {{10, 30}, {90, 70}}, kBlack});
  CHECK(inkOf(paintImage(strip, 1)) == Approx(80 * 40).epsilon(0.01));
  DisplayList discs{{100, 100}, kWhite, {}};
  discs.add(Markers{{{30, 50}, {70, 50}}, 15, kBlack, {}});
  CHECK(inkOf(paintImage(discs, 1)) == Approx(2 * 225 * std::acos(-1.0)).epsilon(0.01));
  for (const MarkerShape shape :
       {MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Diamond}) {
    DisplayList one{{100, 100}, kWhite, {}};
    one.add(Markers{{{50, 50}}, 20, kBlack, {shape, false}});
    CHECK(inkOf(paintImage(one, 1)) == Approx(400 * std::acos(-1.0)).epsilon(0.02));
    one.items.clear();
    one.add(Markers{{{50, 50}}, 20, kBlack, {shape, true}});
    CHECK_FALSE(inked(paintImage(one, 1), 50, 50));
  }
}

TEST_CASE("a picture is stretched over its box, sharp from pixel to pixel") {
  auto image = std::make_shared<Image>();
  image->width = 2;
  image->height = 2;
  image->pixels = {kBlack, kWhite, kWhite, kBlack};
  DisplayList list{{60, 60}, kWhite, {}};
  list.add(Picture{{10, 20, 40, 20}, image});
  const Image painted = paintImage(list, 1);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 60; ++x) {
      const bool upper = x >= 10 && x < 30 && y >= 20 && y < 30;
      const bool lower = x >= 30 && x < 50 && y >= 30 && y < 40;
      CHECK(inked(painted, x, y) == (upper || lower));
    }
}
