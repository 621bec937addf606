// Each cell, bar, point and word of the figure of Attention, for the ready weights of four tokens:
// cut to j ≤ i, and through a window of two keys.
#include "core/input/npy_writer.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/files.h"
#include "tests/core/pattern/pattern_text.h"

#include <array>

using namespace attention;

namespace {

using Rows = std::array<std::array<double, 4>, 4>;
// As in the file; and normalised again over j ≤ i, and over i − 1 ≤ j ≤ i.
constexpr Rows kReady{
    {{0.4, 0.3, 0.2, 0.1}, {0.1, 0.5, 0.4, 0}, {0.2, 0.2, 0.6, 0}, {0.1, 0.2, 0.3, 0.4}}};
constexpr Rows kCausal{
    {{1, 0, 0, 0}, {1.0 / 6, 5.0 / 6, 0, 0}, {0.2, 0.2, 0.6, 0}, {0.1, 0.2, 0.3, 0.4}}};
constexpr Rows kNear{
    {{1, 0, 0, 0}, {1.0 / 6, 5.0 / 6, 0, 0}, {0, 0.25, 0.75, 0}, {0, 0, 3.0 / 7, 4.0 / 7}}};

DisplayList attentionList(AttentionPicture picture = AttentionPicture::Maps, Pins pins = {3, 2}) {
  const TestFolder folder;
  std::vector<double> numbers;
  for (const auto& row : kReady)
    numbers.insert(numbers.end(), row.begin(), row.end());
  writeNpy<double>(folder / "w.npy", std::array<Index, 2>{4, 4}, std::span<const double>(numbers));
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = patternFrom("local", R"({"window": 2, "causal": true})");
  scene.pins = pins;
  scene.attention.picture = picture;
  FileInput files;
  files.attention = (folder / "w.npy").string();
  scene.input.source = files;
  SceneFigureOptions options;
  options.input = loadInput(scene.input);
  return drawn(scene, options);
}

// The colour bar's colour for a weight, which is drawn at the height of its square root.
const Color& barColor(const Image& bar, double weight) {
  const double from = (1 - std::sqrt(weight)) * bar.height;
  return bar.pixels.at(static_cast<std::size_t>(std::min(from, bar.height - 1.0)));
}

bool alike(const Color& a, const Color& b) {
  return std::abs(a.r - b.r) <= 3 && std::abs(a.g - b.g) <= 3 && std::abs(a.b - b.b) <= 3;
}

TEST_CASE("The matrices of attention have each weight in its bar's colour", "[drawn]") {
  const DisplayList list = attentionList();
  const auto pictures = all<Picture>(list);
  REQUIRE(pictures.size() == 6); // three matrices, a bar beside each
  for (std::size_t map = 0; map < 2; ++map) {
    const Image& image = *pictures[2 * map].image;
    const Image& bar = *pictures[2 * map + 1].image;
    REQUIRE(image.width == 4);
    REQUIRE(image.height == 4);
    const Rows& wanted = map == 0 ? kCausal : kNear;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        INFO("matrix " << map << ": " << i << ", " << j);
        CHECK(alike(image.pixels[4 * i + j], barColor(bar, wanted[i][j])));
      }
  }
  // The difference: zero is in the middle of a bar of ±0.2, less is below.
  const Image& image = *pictures[4].image;
  const Image& bar = *pictures[5].image;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const double change = kNear[i][j] - kCausal[i][j];
      const double above = std::copysign(std::sqrt(std::abs(change) / 0.2), change);
      const auto from = static_cast<std::size_t>((1 - above) / 2 * (bar.height - 1));
      INFO(i << ", " << j);
      CHECK(alike(image.pixels[4 * i + j], bar.pixels.at(from)));
    }
}

TEST_CASE("The strips above the matrices have the share of every key", "[drawn]") {
  const DisplayList list = attentionList();
  const auto pictures = all<Picture>(list);
  for (std::size_t map = 0; map < 2; ++map) {
    const Lattice2D matrix{pictures[2 * map].box, 4, 4};
    checkGrid(list, matrix);
    const Rows& rows = map == 0 ? kCausal : kNear;
    std::array<double, 4> sums{};
    for (const auto& row : rows)
      for (std::size_t j = 0; j < 4; ++j)
        sums[j] += row[j] / 4;
    const double most = *std::max_element(sums.begin(), sums.end());
    std::array<int, 4> found{};
    double highest = 0;
    for (const FillBoxes& fill : all<FillBoxes>(list))
      for (const Box& box : fill.boxes)
        if (box.width == matrix.width() && box.bottom() < matrix.frame.y && box.x >= matrix.x(0) &&
            box.x < matrix.x(4))
          highest = std::max(highest, box.height);
    for (const FillBoxes& fill : all<FillBoxes>(list))
      for (const Box& box : fill.boxes)
        for (std::size_t j = 0; j < 4; ++j)
          if (fill.boxes.size() == 4 && near(box.x, matrix.x(static_cast<double>(j)))) {
            ++found[j];
            CHECK(box.height == Approx(highest * sums[j] / most).epsilon(1e-5));
          }
    CHECK(found == std::array{1, 1, 1, 1});
  }
}

TEST_CASE("The curves of attention have each query's measures", "[drawn]") {
  const DisplayList list = attentionList();
  std::vector<Box> frames;
  for (const StrokeBox& box : all<StrokeBox>(list))
    if (box.box.width > 1.5 * box.box.height)
      frames.push_back(box.box);
  frames.erase(
      std::remove_if(frames.begin(), frames.end(), [](const Box& box) { return box.height < 60; }),
      frames.end());
  REQUIRE(frames.size() == 2);
  const auto entropy = [](const Rows& rows, std::size_t i) {
    double sum = 0;
    for (const double p : rows[i])
      sum -= p > 0 ? p * std::log(p) : 0;
    return sum;
  };
  std::array<double, 4> captured{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      captured[i] += i - j < 2 ? kCausal[i][j] : 0;
  const auto markers = all<Markers>(list);
  REQUIRE(markers.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const Box& frame = frames[k == 0 ? 0 : 1];
    const double top = k == 0 ? 1.04 : 1.5; // of the axis
    REQUIRE(markers[k].centres.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      const Point& at = markers[k].centres[i];
      const double value = k == 0 ? captured[i] : k == 1 ? entropy(kNear, i) : entropy(kCausal, i);
      CHECK(near(at.x, frame.x + frame.width * static_cast<double>(i) / 3));
      CHECK((frame.bottom() - at.y) / frame.height * top == Approx(value).margin(1e-4));
    }
  }
}

TEST_CASE("The figure of Attention has these words and no others", "[drawn]") {
  const Words words = wordsOf(attentionList());
  const Words keys{"0", "1", "2", "3", "key j"};
  const Words weights{"1", "0", "0.2", "0.1", "0.5", "0.02", "weight"};
  Words wanted{"Causal attention, and the same through the pattern “Local”"};
  const auto add = [&](const Words& more) {
    wanted.insert(wanted.end(), more.begin(), more.end());
  };
  add({"dense: causal attention"});
  add(weights);
  add({"key 0: 37 %"});
  add(keys);
  add({"0", "1", "2", "3", "query i", "the pattern"});
  add(weights);
  add({"key 2: 29 %"});
  add(keys);
  add({"pattern − dense", "+0.2", "0", "−0.2", "+0.05", "−0.05", "+0.02", "−0.02", "+0.1", "−0.1",
       "change", "key 0: −8 %"});
  add(keys);
  add({"captured mass",
       "0",
       "1",
       "2",
       "3",
       "query i",
       "0",
       "0.2",
       "0.4",
       "0.6",
       "0.8",
       "1.0",
       "entropy, nats",
       "0",
       "1",
       "2",
       "3",
       "query i",
       "0",
       "0.5",
       "1.0",
       "1.5",
       "causal",
       "pattern"});
  REQUIRE(words.size() > wanted.size());
  CHECK(Words(words.begin(), words.begin() + std::ssize(wanted)) == wanted);
  std::string caption;
  for (std::size_t k = wanted.size(); k < words.size(); ++k)
    caption += (caption.empty() ? "" : " ") + words[k];
  CHECK(
      caption ==
      "Captured mass 0.875 on average, lowest 0.7 at query 3, against causal attention. Bars above "
      "each matrix show the share of all attention that each key receives. The input has weights "
      "but no values, so the output error is unknown. Weights: Vaswani et al. 2017, equation 1");
}

// Lines from queries on the left to keys on the right: [query][key] their width, 0 if none is.
Rows lineWidths(const DisplayList& list) {
  std::array<double, 4> y{};
  const auto texts = all<Text>(list);
  double left = 0;
  for (const Text& text : texts)
    if (text.align == TextAlign::Right && text.text.size() == 1 && text.text[0] <= '3') {
      y.at(static_cast<std::size_t>(text.text[0] - '0')) = text.at.y - 0.35 * text.size;
      left = text.at.x;
    }
  Rows widths{};
  for (const Polyline& line : all<Polyline>(list)) {
    REQUIRE(line.points.size() == 2);
    CHECK(std::abs(line.points[0].x - left) < 8);
    CHECK(line.points[1].x > 700);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        if (near(line.points[0].y, y[i]) && near(line.points[1].y, y[j])) {
          CHECK(widths[i][j] == 0);
          widths[i][j] = line.width;
        }
  }
  return widths;
}

TEST_CASE("The lines of attention are the weights, wider for larger ones", "[drawn]") {
  const bool pinned = GENERATE(false, true);
  const DisplayList list = attentionList(AttentionPicture::Lines, pinned ? Pins{3, 2} : Pins{});
  const Rows widths = lineWidths(list);
  const double thin = widths[3][2]; // for 0.3, and 0.4 is wider by as much as 0.1 adds
  const double tenth = widths[3][3] - thin;
  CHECK(tenth > 0.1);
  std::size_t lines = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      INFO(i << " to " << j);
      const bool drawn = kCausal[i][j] >= 0.05 && (!pinned || i == 3 || j == 2);
      CHECK((widths[i][j] > 0) == drawn);
      if (drawn)
        CHECK(widths[i][j] == Approx(thin + (kCausal[i][j] - 0.3) * 10 * tenth).margin(0.01));
      lines += drawn ? 1U : 0U;
    }
  CHECK(all<Polyline>(list).size() == lines);
  const Words words = wordsOf(list);
  REQUIRE(words.size() > 11);
  CHECK(Words(words.begin(), words.begin() + 11) ==
        Words{"Causal attention", "0", "1", "2", "3", "0", "1", "2", "3", "query i", "key j"});
  for (const Text& text : all<Text>(list)) // the pinned ones
    if (text.text.size() == 1)
      CHECK(text.bold == (pinned && text.text == (text.align == TextAlign::Right ? "3" : "2")));
}

} // namespace
