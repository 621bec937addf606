// Pictures of numbers in TikZ: exact if they are small, and bearable for LaTeX if not.
#include "core/export/figure_file.h"
#include "core/export/tikz_painter.h"
#include "core/export/tikz_pixels.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/expr.h"
#include "core/views/mask/mask_figure.h"
#include "tests/catch.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace attention;

namespace {

constexpr Color kGround = colorOf(0xffffff);

// In a few colours including the background, or in as many as there are.
Image noise(int width, int height, std::uint32_t colors, std::uint64_t seed) {
  Image image{width, height, {}};
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761U + 1;
  for (int k = 0; k < width * height; ++k) {
    state = state * 1664525U + 1013904223U;
    const std::uint32_t color = (state >> 8) % colors;
    image.pixels.push_back(color == 0 ? kGround : colorOf(color * 0x010203 & 0xffffff));
  }
  return image;
}

DisplayList listOf(std::vector<Image> images) {
  DisplayList list{{100, 100}, kGround, {}};
  for (Image& image : images)
    list.add(Picture{{10, 10, 60, 60}, std::make_shared<const Image>(std::move(image))});
  return list;
}

// Pixels painted by boxes over the background.
Image painted(const std::vector<PixelBoxes>& colors, int width, int height) {
  Image image{width, height, std::vector<Color>(static_cast<std::size_t>(width * height), kGround)};
  for (const PixelBoxes& of : colors)
    for (const Box& box : of.boxes)
      for (int y = static_cast<int>(box.y); y < static_cast<int>(box.bottom()); ++y)
        for (int x = static_cast<int>(box.x); x < static_cast<int>(box.right()); ++x)
          image.pixels[static_cast<std::size_t>(y * width + x)] = of.color;
  return image;
}

double areaOf(const std::vector<PixelBoxes>& colors) {
  double area = 0;
  for (const PixelBoxes& of : colors)
    for (const Box& box : of.boxes)
      area += box.width * box.height;
  return area;
}

std::vector<std::uint32_t> hexNumbers(const std::string& digits, std::size_t length) {
  std::string all;
  std::copy_if(digits.begin(), digits.end(), std::back_inserter(all),
               [](char c) { return c != '\n'; });
  std::vector<std::uint32_t> numbers;
  for (std::size_t k = 0; k + length <= all.size(); k += length)
    numbers.push_back(static_cast<std::uint32_t>(std::stoul(all.substr(k, length), nullptr, 16)));
  return numbers;
}

// What is between two words; both are cut off the front of `text`.
std::string between(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  REQUIRE(begin == 0);
  const std::size_t end = text.find(to, from.size());
  REQUIRE(end != std::string::npos);
  const std::string part = text.substr(from.size(), end - from.size());
  text.erase(0, end);
  return part;
}

// What a PDF reader makes of the operators of an image.
Image decoded(std::string text) {
  Image image;
  image.width = std::stoi(between(text, "BI /W ", " /H "));
  image.height = std::stoi(between(text, " /H ", " /BPC 8 "));
  const std::size_t last = std::stoul(between(text, " /BPC 8 /CS [/I /RGB ", " <"));
  const auto palette = hexNumbers(between(text, " <\n", ">] "), 6);
  CHECK(palette.size() == last + 1);
  CHECK(palette.size() <= 256);
  for (const std::uint32_t index : hexNumbers(between(text, ">] /F /AHx ID\n", "> EI\n"), 2))
    image.pixels.push_back(colorOf(palette.at(index)));
  CHECK(text == "> EI\n");
  REQUIRE(image.pixels.size() == static_cast<std::size_t>(image.width * image.height));
  return image;
}

Figure causalFigure(Index n) {
  return maskFigure({{prepare(Causal{}, squareLengths(n)), "", {}, {}, {}, {}}},
                    FigureTheme::Light);
}

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("merged pixels give exactly the picture and do not overlap") {
  const int width = GENERATE(1, 2, 7, 64);
  const int height = GENERATE(1, 5, 33);
  const std::uint32_t colors = GENERATE(1U, 2U, 3U, 100U);
  const Image image = noise(width, height, colors, 7);
  const auto boxes = mergedPixels(image, kGround);
  CHECK(painted(boxes, width, height) == image);
  const auto marks = std::count_if(image.pixels.begin(), image.pixels.end(),
                                   [](const Color& c) { return !(c == kGround); });
  CHECK(areaOf(boxes) == static_cast<double>(marks));
}

TEST_CASE("equal pixels are one rectangle") {
  Image image = noise(20, 30, 1, 1);
  std::fill(image.pixels.begin() + 100, image.pixels.end(), colorOf(0x0072b2));
  CHECK(mergedPixels(image, kGround) ==
        std::vector<PixelBoxes>{{colorOf(0x0072b2), {{0, 5, 20, 25}}}});
}

TEST_CASE("an image of few colours is exact in PDF and one of many colours nearly so") {
  const std::uint32_t colors = GENERATE(2U, 100U, 256U, 4000U);
  const Image image = noise(90, 70, colors, 3);
  const Image read = decoded(pdfImage(image, kGround));
  REQUIRE(read.pixels.size() == image.pixels.size());
  int furthest = 0;
  for (std::size_t k = 0; k < image.pixels.size(); ++k) {
    const auto away = [&](std::uint8_t Color::*of) {
      return std::abs(image.pixels[k].*of - read.pixels[k].*of);
    };
    furthest = std::max({furthest, away(&Color::r), away(&Color::g), away(&Color::b)});
    if (image.pixels[k] == kGround)
      CHECK(read.pixels[k] == kGround);
  }
  CHECK(furthest <= (colors <= 256 ? 0 : 32));
}

TEST_CASE("small heat maps keep their cells as rectangles and large ones are images") {
  const auto small = tikzPixels(listOf({noise(64, 64, 200, 1)}));
  REQUIRE(small.size() == 1);
  CHECK(small[0].image.empty());
  CHECK(painted(small[0].boxes, 64, 64) == noise(64, 64, 200, 1));
  const auto both = tikzPixels(listOf({noise(100, 100, 200, 1), noise(8, 8, 5, 2)}));
  CHECK(decoded(both[0].image) == noise(100, 100, 200, 1));
  CHECK(painted(both[1].boxes, 8, 8) == noise(8, 8, 5, 2));
}

TEST_CASE("images of a picture for LaTeX share a limit and the largest give way") {
  const auto pixels = tikzPixels(
      listOf({noise(1500, 900, 1 << 20, 1), noise(80, 80, 50, 2), noise(40, 900, 9, 3)}));
  std::size_t all = 0;
  for (const TikzPixels& of : pixels) {
    const Image image = decoded(of.image);
    all += image.pixels.size();
  }
  CHECK(all <= kMostTikzPixels);
  CHECK(all > kMostTikzPixels * 9 / 10);
  CHECK(decoded(pixels[1].image) == noise(80, 80, 50, 2)); // small and unchanged
}

TEST_CASE("a TikZ image fills its box and is limited by the lines of the file") {
  const std::string tex = paintTikz(listOf({noise(100, 100, 200, 1)}));
  // 60 pixels are 45 big points, from the lower left corner at 10 and 70.
  CHECK(tex.find("shift={(10,70)}") != std::string::npos);
  CHECK(tex.find("\\pgftransformcm{45}{0}{0}{45}{\\pgfpointorigin}") != std::string::npos);
  std::size_t longest = 0;
  for (std::size_t at = 0; at < tex.size();) {
    const std::size_t end = tex.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  CHECK(longest < 1000); // TeX's buffer is bounded
}

TEST_CASE(
    "A mask of up to ten million pairs keeps its cells in LaTeX and a larger one is an image") {
  // 4471 rows of a causal mask have 9 997 156 pairs, 4472 have 10 001 628.
  const std::string cells = texOf(causalFigure(4471), {});
  CHECK(cells.find("BI /W") == std::string::npos);
  CHECK(countOf(cells, "\\bx") >= 4471);
  const std::string pixels = texOf(causalFigure(4472), {});
  CHECK(countOf(pixels, "BI /W") == 1);
  CHECK(countOf(pixels, "\\bx") < 20);
}

TEST_CASE("The image of a large mask in LaTeX shows the mask at any length") {
  const Index n = GENERATE(Index{8192}, Index{1} << 20, Index{1} << 30);
  const std::string tex = texOf(causalFigure(n), {});
  CHECK(tex.size() < 1'500'000);
  const std::size_t begin = tex.find("BI /W");
  REQUIRE(begin != std::string::npos);
  const Image image = decoded(tex.substr(begin, tex.find("> EI\n", begin) + 5 - begin));
  const auto at = [&](double x, double y) {
    return image
        .pixels[static_cast<std::size_t>(y * image.height) * static_cast<std::size_t>(image.width) +
                static_cast<std::size_t>(x * image.width)];
  };
  CHECK(at(0.75, 0.25) == kGround);
  CHECK(!(at(0.25, 0.75) == kGround));
  CHECK(at(0.25, 0.75) == at(0.1, 0.9));
}

TEST_CASE("A formula over more rows than are counted one by one is a sampled image in LaTeX") {
  Expr of;
  of.expr = "j <= i";
  const auto formula = prepare(of, squareLengths(20000));
  const std::string tex =
      texOf(maskFigure({{formula, "", {}, {}, {}, {}}}, FigureTheme::Light), {});
  CHECK(tex.find("BI /W") != std::string::npos);
  CHECK(tex.find("sampled") != std::string::npos);
}

TEST_CASE("raised numbers are one LaTeX exponent") {
  CHECK(escapedLatex("n¹·⁹²") == "n$^{1.92}$");
  CHECK(escapedLatex("10⁻³ · 2") == "10$^{-3}$ $\\cdot$ 2");
  CHECK(escapedLatex("A¹ ∪ A²") == "A$^1$ $\\cup$ A$^2$");
  CHECK(escapedLatex("n²·d") == "n$^2$$\\cdot$d");
}
