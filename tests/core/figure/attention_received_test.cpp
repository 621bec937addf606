// What keys receive of all attention, as the strip above its maps and as colours: the sink of the
// sample is seen, weights near zero are background.
#include "core/input/assets.h"
#include "core/plot/layout.h"
#include "core/support/number_text.h"
#include "core/views/attention/attention_figure.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace attention {
namespace {

struct Sample {
  Scene scene;
  std::shared_ptr<const Input> input;
  AttentionAnswer answer;
  AttentionLook look;
  std::vector<FigurePanel> maps;
};

Sample sampleOf(Index layer, Index head) {
  Sample of;
  of.scene.view = View::Attention;
  of.scene.pattern = patternFrom("strided", R"({"stride": 12})");
  of.scene.input.source = AssetInput{"minilm_alice"};
  of.scene.attention.base = AttentionBase::Causal;
  of.scene.input.batch = layer;
  of.scene.input.head = head;
  of.input = loadInput(of.scene.input, samplePath);
  const Lengths lengths = lengthsOf(of.scene.length, of.input->keys);
  const ModelHead from{of.input, layer, head};
  of.answer = attentionAnswer(of.scene, lengths, from);
  of.look = attentionLook(of.scene, lengths, from);
  of.maps = mapPanels(of.scene.attention, of.answer, of.look);
  return of;
}

const ValuesMark& markOf(const FigurePanel& panel) {
  return std::get<ValuesMark>(panel.plots.front().mark);
}

TEST_CASE("the sink of the sample is labelled above its map with what it receives") {
  const Sample of = sampleOf(2, 3);
  double cls = 0;
  const Matrix<float>& dense = of.answer.maps->dense;
  for (Index i = 0; i < dense.rows(); ++i)
    cls += static_cast<double>(dense(i, 0)) / static_cast<double>(dense.rows());
  REQUIRE(cls > 0.5);
  const ColumnSums& sums = *markOf(of.maps[0]).sums;
  REQUIRE(sums.shares.size() == 144);
  CHECK(sums.shares[0] == Approx(cls));
  CHECK(std::accumulate(sums.shares.begin(), sums.shares.end(), 0.0) == Approx(1).margin(1e-4));
  REQUIRE(!sums.labels.empty());
  CHECK(sums.labels[0].column == 0);
  CHECK(sums.labels[0].text == "0 “[CLS]”: " + percentText(cls, 0));
  // What the pattern takes from it is given above the difference.
  const ColumnSums& lost = *markOf(of.maps[2]).sums;
  CHECK(lost.labels[0].column == 0);
  CHECK(lost.labels[0].text.find("−") != std::string::npos);
  CHECK(lost.shares[0] == Approx(markOf(of.maps[1]).sums->shares[0] - sums.shares[0]));
}

std::string readingOfRandom(const RandomInput& random) {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = patternFrom("causal", "{}");
  scene.input.source = random;
  const auto input = loadInput(scene.input, samplePath);
  const Lengths lengths = lengthsOf(scene.length, input->keys);
  const ModelHead from{input, 0, 0};
  std::string text;
  for (const std::string& sentence :
       readingOf(scene.attention, attentionAnswer(scene, lengths, from),
                 attentionLook(scene, lengths, from), {}))
    text += sentence + " ";
  return text;
}

RandomInput withSinks(Index n, double logit, double sinks) {
  RandomInput random;
  random.n = n;
  random.d = 8;
  random.generator = "sinks";
  random.parameters = {{"sink", {logit}}, {"sink_keys", {sinks}}};
  return random;
}

TEST_CASE("sinks are named with what they receive together") {
  CHECK(readingOfRandom(withSinks(48, 6, 1)).find("Key 0 receives ") != std::string::npos);
  CHECK(readingOfRandom(withSinks(12, 9, 1)).find("Key 0 receives ") != std::string::npos);
  const std::string two = readingOfRandom(withSinks(48, 6, 2));
  INFO(two);
  CHECK(two.find("Keys 0 and 1 together receive ") != std::string::npos);
  CHECK(two.find("they are sinks") != std::string::npos);
  const std::string six = readingOfRandom(withSinks(96, 9, 6));
  INFO(six);
  CHECK(six.find(" and 1 more together receive ") != std::string::npos); // of five, four have names
}

TEST_CASE("no key of even weights, and none of a few queries, is a sink") {
  RandomInput random; // key 0 receives (1 + 1/2 + … + 1/9) / 9 = 31 %
  random.n = 9;
  random.parameters = {{"sigma", {0.0}}};
  CHECK(readingOfRandom(random).find("receive") == std::string::npos);
  CHECK(readingOfRandom(withSinks(6, 9, 1)).find("receive") == std::string::npos);
}

TEST_CASE("the strip is drawn above its matrix with a bar for each key and labels inside") {
  const Sample of = sampleOf(2, 3);
  const PlacedPlot placed = layoutPlot(of.maps[0].plots.front(), {420, 420}, {13}, kMeasure);
  const Box strip = sumsBox(placed.box, 13);
  CHECK(strip.bottom() < placed.box.y);
  double highest = 0;
  for (const FillBoxes& boxes : all<FillBoxes>(placed.list))
    for (const Box& box : boxes.boxes) {
      CHECK(box.y >= strip.y - 0.01);
      CHECK(box.bottom() <= strip.bottom() + 0.01);
      highest = std::max(highest, box.height);
    }
  CHECK(highest == Approx(strip.height)); // of [CLS]
  bool labelled = false;
  for (const Text& text : all<Text>(placed.list))
    if (text.text.find("[CLS]") != std::string::npos && text.text.find('%') != std::string::npos) {
      labelled = true;
      CHECK(boxOf(text).y >= strip.y);
      CHECK(boxOf(text).right() <= strip.right());
    }
  CHECK(labelled);
  // The numbers of the keys stand above the strip.
  for (const Text& text : all<Text>(placed.list))
    if (text.text == "key j")
      CHECK(text.at.y < strip.y);
}

TEST_CASE("the strip has a bar for each column that is a pixel wide, above the column") {
  for (Index columns = 1; columns <= 64; ++columns)
    for (int width = 16; width <= 260; ++width) {
      ColumnSums sums;
      for (Index j = 0; j < columns; ++j)
        sums.shares.push_back(0.01 + 0.01 * static_cast<double>(j % 7));
      DisplayList list;
      const Box box{10, 100, static_cast<double>(width), 50};
      drawColumnSums(sums, box, 0, 13, FigureTheme::Light, kMeasure, list);
      const auto filled = all<FillBoxes>(list);
      REQUIRE(filled.size() == 1);
      const std::vector<Box>& bars = filled.front().boxes;
      CAPTURE(columns, width);
      REQUIRE(static_cast<Index>(bars.size()) == std::min<Index>(columns, width));
      if (columns > width)
        continue;
      for (std::size_t j = 0; j < bars.size(); ++j) {
        REQUIRE(bars[j].x ==
                Approx(10 + width * static_cast<double>(j) / static_cast<double>(columns)));
        REQUIRE(bars[j].height / bars[0].height == Approx(sums.shares[j] / sums.shares[0]));
      }
    }
}

TEST_CASE("a colour bar stands beside every map, with numbers from zero to the end of the ramp") {
  const Sample of = sampleOf(0, 0);
  for (const FigurePanel& panel : of.maps) {
    const ValuesMark& mark = markOf(panel);
    REQUIRE(mark.bar);
    const auto ticks = barTicks(*mark.bar, {mark.ramp, static_cast<double>(mark.top)}, 0.05);
    CHECK(ticks.size() >= 4);
    for (const BarTick& tick : ticks)
      CHECK((tick.at >= 0 && tick.at <= 1));
    CHECK(std::count_if(ticks.begin(), ticks.end(),
                        [](const BarTick& tick) { return tick.text == "0"; }) == 1);
    const PlacedPlot placed = layoutPlot(panel.plots.front(), {520, 420}, {13}, kMeasure);
    const auto pictures = all<Picture>(placed.list);
    REQUIRE(pictures.size() == 2); // the matrix and the bar
    CHECK(pictures[1].box.x > placed.box.right());
    CHECK(pictures[1].box.height == placed.box.height);
    for (const Text& text : all<Text>(placed.list))
      CHECK(boxOf(text).right() <= 520);
  }
  CHECK(attentionLegend(of.scene.attention, of.answer, FigureTheme::Dark).empty());
}

TEST_CASE("a colour bar stands below a matrix that it would make too small from the right") {
  const Sample of = sampleOf(2, 3);
  const Plot& plot = of.maps[0].plots.front();
  for (const Size& size : {Size{210, 300}, Size{420, 300}}) {
    const PlacedPlot placed = layoutPlot(plot, size, {13}, kMeasure);
    const Box bar = all<Picture>(placed.list)[1].box;
    const bool below = size.width < size.height;
    CHECK((bar.y >= placed.box.bottom()) == below);
    CHECK((bar.x >= placed.box.right()) == !below);
    CHECK((below ? bar.width == placed.box.width : bar.height == placed.box.height));
    CHECK(placed.box.width > 110);
    bool named = false;
    for (const Text& text : all<Text>(placed.list)) {
      INFO(text.text);
      CHECK(boxOf(text).bottom() <= size.height + 0.5);
      named = named || text.text.find("59") != std::string::npos;
    }
    CHECK(named); // what the sink receives
  }
}

TEST_CASE("the colours of a colour bar are those of the values beside it") {
  DisplayList list;
  const BarScale scale{Ramp::Attention, 0.4};
  const Box box{0, 0, 100, 200};
  drawRampBar({"weight"}, scale, box, 13, FigureTheme::Dark, kMeasure, list);
  const Picture picture = all<Picture>(list).front();
  for (const BarTick& tick : barTicks({"weight"}, scale, 0.1)) {
    const int y = std::clamp(static_cast<int>((1 - tick.at) * 200), 0, 199);
    const Color drawn = picture.image->pixels[static_cast<std::size_t>(y)];
    const double value = tick.at * tick.at * scale.top;
    const Color wanted = rampColor(scale.ramp, value, scale.top, FigureTheme::Dark);
    CHECK(std::abs(drawn.r - wanted.r) <= 4);
    CHECK(std::abs(drawn.b - wanted.b) <= 4);
  }
}

TEST_CASE("weights near zero are background and larger ones stand out in their order") {
  for (const FigureTheme theme : {FigureTheme::Light, FigureTheme::Dark}) {
    const Color& ground = figureColors(theme).ground;
    for (const Ramp ramp : {Ramp::Attention, Ramp::Changes}) {
      CHECK(rampColor(ramp, 0, 1, theme) == ground);
      CHECK(rampColor(ramp, kFaintShare, 1, theme) == ground);
      CHECK(rampColor(ramp, NAN, 1, theme) == ground);
      double before = 1;
      for (const double share : {0.05, 0.1, 0.2, 0.4, 0.7, 1.0}) {
        const double now = contrast(rampColor(ramp, share, 1, theme), ground);
        CHECK(now > before);
        before = now;
      }
      CHECK(before > 3);
    }
    CHECK(rampColor(Ramp::Attention, 2, 1, theme) == figureColors(theme).weight);
    CHECK(rampColor(Ramp::Changes, -1, 1, theme) == figureColors(theme).series[0]);
  }
}

TEST_CASE("in most heads of the sample most of the map is background and the sink is not") {
  const Sample of = sampleOf(2, 3);
  const ValuesMark& mark = markOf(of.maps[0]);
  const Matrix<float>& dense = *mark.values;
  const auto isGround = [&](Index i, Index j) {
    return rampColor(mark.ramp, static_cast<double>(dense(i, j)), static_cast<double>(mark.top),
                     FigureTheme::Dark) == figureColors(FigureTheme::Dark).ground;
  };
  Index ground = 0;
  Index cells = 0;
  Index sink = 0;
  for (Index i = 8; i < dense.rows(); ++i) {
    sink += contrast(rampColor(mark.ramp, static_cast<double>(dense(i, 0)),
                               static_cast<double>(mark.top), FigureTheme::Dark),
                     figureColors(FigureTheme::Dark).ground) > 3
                ? 1
                : 0;
    for (Index j = 1; j < i; ++j) {
      ++cells;
      ground += isGround(i, j) ? 1 : 0;
    }
  }
  CHECK(2 * ground > cells);
  CHECK(10 * sink > 9 * (dense.rows() - 8));
}

TEST_CASE("ramps end where one value in five hundred lies beyond, and say so") {
  std::vector<float> values(1000, 0.01F);
  values[3] = 1;
  values[500] = 0.5F;
  CHECK(rampEnd(values) == 0.01F);
  values.resize(499);
  CHECK(rampEnd(values) == 1);
  CHECK(rampEnd({0, 0, -0.25F}) == 0.25F);
  CHECK(rampEnd({}) == 0);
  const auto text = [](bool beyond) {
    return barTicks({"weight", beyond}, {Ramp::Attention, 0.2}, 0.1).front().text;
  };
  CHECK(text(true) == "≥ 0.2");
  CHECK(text(false) == "0.2");
}

TEST_CASE("labels of columns never lie over one another or outside") {
  ColumnSums sums;
  sums.shares.assign(100, 0.001);
  for (const Index column : {0, 1, 2, 98, 99}) {
    sums.shares[static_cast<std::size_t>(column)] = 0.15;
    sums.labels.push_back({column, "“token" + std::to_string(column) + "” 15 %", "15 %"});
  }
  DisplayList list;
  const Box box{50, 100, 300, 300};
  drawColumnSums(sums, box, 0, 13, FigureTheme::Light, kMeasure, list);
  const auto texts = all<Text>(list);
  CHECK(texts.size() >= 3);
  for (std::size_t a = 0; a < texts.size(); ++a) {
    CHECK(boxOf(texts[a]).x >= box.x);
    CHECK(boxOf(texts[a]).right() <= box.right());
    for (std::size_t b = a + 1; b < texts.size(); ++b) {
      const Box p = boxOf(texts[a]);
      const Box q = boxOf(texts[b]);
      CHECK((p.right() <= q.x || q.right() <= p.x || p.bottom() <= q.y || q.bottom() <= p.y));
    }
  }
}

// Bars and labels of a strip over a matrix of that width.
DisplayList stripOf(const std::vector<double>& shares, double width) {
  ColumnSums sums{shares, {}};
  std::vector<Index> order(shares.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(shares[static_cast<std::size_t>(a)]) >
           std::abs(shares[static_cast<std::size_t>(b)]);
  });
  for (std::size_t k = 0; k < std::min<std::size_t>(shares.size(), 3); ++k)
    sums.labels.push_back({order[k], "key " + std::to_string(order[k]) + ": 3 %", "3 %"});
  DisplayList list;
  drawColumnSums(sums, {50, 100, width, width}, 40, 13, FigureTheme::Light, kMeasure, list);
  return list;
}

TEST_CASE("labels of columns never lie over bars, whatever the shares are") {
  for (std::size_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<double> shares(1 + seed * 4);
    for (double& share : shares) { // from nearly the same to a few that have most
      const double uniform = static_cast<double>(random()) / 4294967296.0;
      share = std::pow(uniform, 1 + static_cast<double>(seed % 4)) - (seed % 5 != 0 ? 0 : 0.4);
    }
    CAPTURE(seed, shares.size());
    const DisplayList list = stripOf(shares, 120 + 10 * static_cast<double>(seed));
    const auto texts = all<Text>(list);
    CHECK(!texts.empty()); // the largest is always labelled
    for (std::size_t a = 0; a < texts.size(); ++a) {
      for (const FillBoxes& bars : all<FillBoxes>(list))
        for (const Box& bar : bars.boxes)
          CHECK(!overlap(boxOf(texts[a]), bar));
      for (std::size_t b = a + 1; b < texts.size(); ++b)
        CHECK(!overlap(boxOf(texts[a]), boxOf(texts[b])));
    }
  }
}

TEST_CASE("bars of one height are lower, below the label of the largest") {
  const DisplayList list = stripOf(std::vector<double>(48, 1.0 / 48), 400);
  const double top = all<FillBoxes>(list).front().boxes.front().y;
  REQUIRE(!all<Text>(list).empty());
  for (const Text& text : all<Text>(list))
    CHECK(boxOf(text).bottom() <= top + 0.1);
  // A sink leaves its label room beside it, and is as high as the strip.
  std::vector<double> sink(48, 0.005);
  sink.front() = 0.7;
  double highest = 0;
  for (const FillBoxes& boxes : all<FillBoxes>(stripOf(sink, 400)))
    for (const Box& bar : boxes.boxes)
      highest = std::max(highest, bar.height);
  CHECK(highest == Approx(kSumsHeight * 13));
}

} // namespace
} // namespace attention
