// Pages of HTML: they need nothing outside themselves, carry their Scene, and hold what a pointer
// asks for.
#include "core/export/embedded_scene.h"
#include "core/export/encoded_picture.h"
#include "core/export/html_page.h"
#include "core/export/level_picture.h"
#include "core/export/packed_bytes.h"
#include "core/export/svg_elements.h"
#include "core/pattern/mechanism/causal.h"
#include "core/plot/figure.h"
#include "core/views/own_frame.h"
#include "core/views/scene_page.h"
#include "tests/core/figure/png_pixels.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stop_token>

namespace attention {
namespace {

Scene smallCausal() {
  Scene scene;
  scene.pattern = Causal{};
  scene.length.n = 6;
  scene.input = {};
  scene.title = "Who sees whom </script> & why";
  return scene;
}

std::string pageOf(const Scene& scene, PageTheme theme = PageTheme::Page) {
  return figurePage(pageOfScene(scene, {}, std::nullopt), {theme}).text;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

Polyline line(double fromX, double fromY, double toX, double toY) {
  return {{{fromX, fromY}, {toX, toY}}, Color{}, 1};
}

// Each element's lines, as from x, from y, to x, to y.
using Ends = std::array<double, 4>;
std::vector<std::vector<Ends>> linesIn(const std::string& svg) {
  std::vector<std::vector<Ends>> elements;
  for (auto at = svg.find("d=\"M"); at != std::string::npos; at = svg.find("d=\"M", at + 1)) {
    std::vector<Ends>& lines = elements.emplace_back();
    int length = 0;
    Ends ends{};
    for (const char* text = svg.c_str() + at + 3;
         std::sscanf(text, "M%lf %lfL%lf %lf%n", &ends[0], &ends[1], &ends[2], &ends[3], &length) ==
         4;
         text += length)
      lines.push_back(ends);
  }
  return elements;
}

std::string drawn(const DisplayList& list, const Run& run = {}) {
  PageColors colors;
  return svgDrawing(
      list, list, colors, [](std::string_view, double, bool) { return 1.0; }, run);
}

} // namespace

TEST_CASE("packed bytes are what zlib and base64 make of them", "[page]") {
  CHECK(base64("Man") == "TWFu");
  CHECK(base64("Ma") == "TWE=");
  std::string bytes;
  appendVarint(bytes, 127);
  appendVarint(bytes, 128);
  appendVarint(bytes, 300);
  CHECK(bytes == std::string("\x7f\x80\x01\xac\x02"));
  CHECK(packed(std::string(100000, 'a')).size() < 200);
}

TEST_CASE("a page opens as its Scene, and its data neither end a script nor keep it open",
          "[page]") {
  Scene scene = smallCausal();
  scene.labels = {"</script>", "<!--<script>", "c", "d", "e", "f"};
  const std::string page = pageOf(scene);
  const std::optional<ReadScene> back = sceneInBytes(page, "page.html");
  REQUIRE(back);
  CHECK(back->scene == scene);
  CHECK(occurrences(page, "</script>") == 3); // data, Scene, script
  CHECK(occurrences(page, "<!--") == 0);
  CHECK_FALSE(sceneInBytes("<!DOCTYPE html>\n<html lang=\"en\">\n<p>a page</p>", "other.html"));
}

TEST_CASE("a page asks for nothing outside itself", "[page]") {
  const std::string page = pageOf(smallCausal());
  CHECK(occurrences(page, "http") == occurrences(page, "http://www.w3.org/2000/svg"));
  for (const char* outside : {"src=", "@import", "fetch("})
    CHECK(page.find(outside) == std::string::npos);
  CHECK(occurrences(page, "url(") == occurrences(page, "url(#"));
}

TEST_CASE("a page follows its reader's theme, or keeps the one asked for", "[page]") {
  CHECK(occurrences(pageOf(smallCausal()), "prefers-color-scheme") == 1);
  CHECK(occurrences(pageOf(smallCausal(), PageTheme::Light), "prefers-color-scheme") == 0);
  CHECK(pageOf(smallCausal(), PageTheme::Dark) != pageOf(smallCausal(), PageTheme::Light));
}

TEST_CASE("the shades of a legend are as strong in the dark", "[page]") {
  const FigureColors& light = figureColors(FigureTheme::Light);
  const FigureColors& dark = figureColors(FigureTheme::Dark);
  Figure figure;
  for (const double share : {0.25, 0.5, 0.9})
    figure.legend.push_back({mix(light.ground, light.series[0], share), ""});
  figure = inTheme(figure, FigureTheme::Dark);
  for (std::size_t k = 0; k < 3; ++k) {
    const Color made = mix(dark.ground, dark.series[0], std::array{0.25, 0.5, 0.9}[k]);
    CHECK(std::abs(figure.legend[k].color.r - made.r) <= 1);
    CHECK(std::abs(figure.legend[k].color.g - made.g) <= 1);
    CHECK(std::abs(figure.legend[k].color.b - made.b) <= 1);
  }
}

TEST_CASE("the strongest weights of a legend are so in the dark", "[page]") {
  Figure figure;
  for (const double share : {0.6, 0.9, 1.0})
    figure.legend.push_back({weightColor(share, FigureTheme::Light), ""});
  figure = inTheme(figure, FigureTheme::Dark);
  for (std::size_t k = 0; k < 3; ++k) {
    const Color made = weightColor(std::array{0.6, 0.9, 1.0}[k], FigureTheme::Dark);
    CHECK(std::abs(figure.legend[k].color.r - made.r) <= 12);
    CHECK(std::abs(figure.legend[k].color.b - made.b) <= 12);
  }
}

TEST_CASE("a page of layers has a frame for each", "[page]") {
  Scene scene = smallCausal();
  CHECK(pageOfScene(scene, {}, std::nullopt).frames.size() == 1);
  scene.view = View::Reach;
  scene.reach.layers = 3;
  const PageFigure page = pageOfScene(scene, {}, std::nullopt);
  REQUIRE(page.frames.size() == 4);
  CHECK(page.frames.back().label == "layers = 3");
  CHECK(page.shown == 3); // as the figure itself
}

TEST_CASE("a page opens with the layers that its Scene lights", "[page]") {
  Scene scene = smallCausal();
  scene.view = View::Reach;
  scene.reach.layers = 3;
  scene.reach.shown = 1;
  CHECK(pageOfScene(scene, {}, std::nullopt).shown == 1);
}

TEST_CASE("a lesson is a page of steps with folded answers", "[page]") {
  LessonStep step;
  step.title = "First";
  step.words = "It has [21](pairs) cells.";
  step.notes = "for the speaker";
  step.scene = smallCausal();
  Lesson lesson{"A lesson", "Of two steps.", {step, step}};
  lesson.steps[0].question = "How many?";
  lesson.steps[0].choices = {"20", "[21](pairs)"};
  lesson.steps[0].correct = 2;
  lesson.steps[0].answer = "6 · 7 / 2.";
  const std::string page = lessonPage(pageOfLesson(lesson)).text;
  CHECK(occurrences(page, "<section") == 2);
  CHECK(occurrences(page, "class=\"ax-data\"") == 2);
  CHECK(page.find("It has 21 cells.") != std::string::npos);
  CHECK(occurrences(page, "<details") == 1);
  CHECK(page.find("<button data-right>21</button>") != std::string::npos);
  CHECK(page.find("for the speaker") == std::string::npos);
  CHECK(sceneInBytes(page, "page.html")->scene == lesson.steps.front().scene);
}

TEST_CASE("a sweep of a page has the frames that were asked for", "[page]") {
  const PageFigure page = pageOfScene(smallCausal(), {}, Sweep{"n", 4, 8, 2});
  REQUIRE(page.frames.size() == 3);
  CHECK(page.frames.front().label == "n = 4");
  CHECK(page.shown == 1); // the Scene's own
}

TEST_CASE("the own frame of a sweep is found by numbers, defaults and absent ones", "[page]") {
  const auto shownOf = [](const Scene& scene, const Sweep& sweep) {
    return ownFrame(framesOf(scene, sweep, *scene.length.n), scene, *scene.length.n);
  };
  Scene scene = smallCausal();
  scene.length.n = 64;
  scene.pattern = patternNamed("strided");
  CHECK(shownOf(scene, {"stride", 6, 10, 1}) == 2); // 8 by default
  set(scene.pattern, "stride", Value(Index{7}));
  CHECK(shownOf(scene, {"stride", 5, 9, 2}) == 1);
  CHECK(shownOf(scene, {"stride", 6, 8, 2}) == std::nullopt);
  scene.view = View::Reach;
  scene.reach.layers = 3;
  CHECK(shownOf(scene, {"layers"}) == 3); // all of them
  scene.reach.shown = 1;
  CHECK(shownOf(scene, {"layers"}) == 1);
}

// ---- pictures in two themes ----

namespace {

Image coloured(int side, Color (*colorOf)(int x, int y)) {
  Image image{side, side, {}};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      image.pixels.push_back(colorOf(x, y));
  return image;
}

// The largest step of a channel between a picture and what its levels become.
int farthest(const LevelPicture& levels, const Image& light, const Image& dark) {
  const Image read = pixelsOf(levels.png); // grey levels in each channel
  REQUIRE(read.pixels.size() == light.pixels.size());
  int most = 0;
  for (std::size_t k = 0; k < read.pixels.size(); ++k) {
    const std::size_t count = levels.table.size();
    const LevelColors& of = levels.table[std::min(read.pixels[k].r * count / 255, count - 1)];
    for (const auto& [made, wanted] :
         {std::pair(of.first, light.pixels[k]), std::pair(of.second, dark.pixels[k])})
      most = std::max({most, std::abs(made.r - wanted.r), std::abs(made.g - wanted.g),
                       std::abs(made.b - wanted.b)});
  }
  return most;
}

} // namespace

TEST_CASE("the levels of a picture give its colours on light and dark pages", "[page]") {
  const Image light = coloured(80, [](int x, int y) {
    return mix(Color{255, 255, 255}, Color{0, 90, 160}, (x * y % 7) / 6.0);
  });
  const Image dark = coloured(80, [](int x, int y) {
    return mix(Color{20, 20, 24}, Color{90, 180, 230}, (x * y % 7) / 6.0);
  });
  const auto levels = levelPicture(light, dark);
  REQUIRE(levels);
  CHECK(levels->table.size() == 7);
  CHECK(farthest(*levels, light, dark) == 0);
}

TEST_CASE("the levels of a picture of more colours are close to them", "[page]") {
  const auto ramp = [](int x, int y) {
    return mix(Color{255, 255, 255}, Color{0, 0, 90}, (80 * y + x) / 6400.0);
  };
  const Image light = coloured(80, ramp);
  const auto levels = levelPicture(light, light);
  REQUIRE(levels);
  CHECK(levels->table.size() <= 256);
  CHECK(farthest(*levels, light, light) <= 8);
  const Image wild = coloured(80, [](int x, int y) {
    return Color{static_cast<std::uint8_t>(3 * x), static_cast<std::uint8_t>(3 * y),
                 static_cast<std::uint8_t>(37 * x * y)};
  });
  CHECK_FALSE(levelPicture(wild, wild));
  const Image small = coloured(60, ramp);
  CHECK_FALSE(levelPicture(small, small));
}

// Noise of two greys, in a box of as many units as `box`.
EncodedPicture noise(int side, double box) {
  std::mt19937 random(7);
  Image image{side, side, {}};
  for (int k = 0; k < side * side; ++k)
    image.pixels.push_back(random() % 2 ? Color{200, 200, 200} : Color{100, 100, 100});
  const Picture picture{{0, 0, box, box}, std::make_shared<const Image>(std::move(image))};
  return encodedPicture(picture, picture);
}

TEST_CASE("large noise has one pixel per unit, the mean of four", "[page]") {
  const EncodedPicture halved = noise(1201, 600.5);
  REQUIRE(halved.table);
  CHECK(halved.table->size() == 5); // means of four pixels, each light or dark
  CHECK(halved.table->front().first == Color{200, 200, 200});
  CHECK((*halved.table)[2].first == Color{150, 150, 150});
  CHECK(pixelsOf(halved.first).width == 601);
  CHECK(pixelsOf(noise(1201, 1201).first).width == 1201); // cells, which stay
  CHECK(pixelsOf(noise(400, 200).first).width == 400);    // is small
}

TEST_CASE("a line break of a running text is told by its sign", "[page]") {
  RunningTextMark mark;
  mark.tokens.resize(3);
  mark.tokens[0].text = "word";
  mark.tokens[1].joined = true;
  mark.tokens[2].joined = true;
  mark.tokens[1].wraps = true;
  mark.tokens[2].breaks = 1;
  Figure figure;
  figure.panels.push_back({"", {{mark, {}, {}}}, {}});
  const std::string page = figurePage({{{figure, ""}}, {}}, {PageTheme::Light}).text;
  CHECK(occurrences(page, "Token 1 “¶”: 0 of the strongest shade") == 1);
  CHECK(occurrences(page, "Token 2 “¶”: 0 of the strongest shade") == 1);
}

TEST_CASE("a large mask has one picture for both themes", "[page]") {
  Scene scene = smallCausal();
  scene.length.n = 2048;
  const std::string page = pageOf(scene);
  CHECK(occurrences(page, "data:image/png") == 1);
  CHECK(occurrences(page, "<filter ") == 2);
  CHECK(occurrences(pageOf(scene, PageTheme::Dark), "<filter ") == 1);
}

TEST_CASE("lines that keep apart are one element", "[page]") {
  DisplayList list;
  for (int k = 0; k < 50; ++k) { // of two heights, and one of them further below
    list.items.emplace_back(line(10 * k, 0, 10 * k + 40, 100));
    list.items.emplace_back(line(10 * k, 150, 10 * k, 250));
  }
  list.items.emplace_back(Polyline{{{0, 300}, {200, 310}, {400, 300}}, Color{}, 1});
  REQUIRE(linesIn(drawn(list)).size() == 2); // with the ground
  CHECK(linesIn(drawn(list))[1].size() == 101);
  list.items.emplace_back(line(0, 100, 500, 0)); // crosses them
  list.items.emplace_back(line(0, 90, 500, 90)); // likewise, and lies flat
  CHECK(linesIn(drawn(list)).size() == 4);
}

TEST_CASE("no lines of an element meet, however many there are", "[page]") {
  DisplayList list;
  std::mt19937 random(5);
  const auto place = [&] { return static_cast<double>(random() % 1000); };
  for (int k = 0; k < 600; ++k) {
    const double top = k % 3 == 0 ? 0 : 100;
    list.items.emplace_back(line(place(), top, place(), top + 100));
  }
  std::size_t count = 0;
  std::size_t meeting = 0;
  for (const std::vector<Ends>& lines : linesIn(drawn(list))) {
    count += lines.size();
    for (std::size_t a = 0; a < lines.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        meeting += lines[a][1] == lines[b][1] &&
                   (lines[a][0] - lines[b][0]) * (lines[a][2] - lines[b][2]) <= 0;
  }
  CHECK(count == 600);
  CHECK(meeting == 0);
}

TEST_CASE("drawing lines can be stopped", "[page]") {
  DisplayList list;
  list.items.emplace_back(line(0, 0, 1, 1));
  std::stop_source source;
  source.request_stop();
  Run run;
  run.stop = source.get_token();
  CHECK_THROWS_AS(drawn(list, run), Stopped);
}

} // namespace attention
