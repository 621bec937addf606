// Figures of times: what they contain, from made-up power laws.
#include "core/analysis/timing/timing_text.h"
#include "core/export/figure_file.h"
#include "core/plot/draw_marks.h"
#include "core/plot/layout.h"
#include "core/views/scene_figure.h"
#include "core/views/timings/scene_timings.h"
#include "core/views/timings/timing_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <cmath>

using namespace attention;

namespace {

// 1e-8 n² and 1e-5 n, which meet at 1000.
Timings timings(double noise = 0) {
  Timings made;
  made.peakGflops = 100;
  made.vectors = "AVX3_ZEN4";
  for (std::size_t m = 0; m < 2; ++m)
    for (const Index n : {256, 512, 1024, 2048}) {
      const auto x = static_cast<double>(n);
      const double t = m == 0 ? 1e-8 * x * x : 1e-5 * x;
      TimingRow row;
      row.method = m;
      row.n = n;
      row.seconds = {t, t * (1 - noise), t * (1 + noise), t, 9};
      row.work = {{}, 1e3 * t, 5e10 * t};
      made.rows.push_back(row);
    }
  analyse(made);
  return made;
}

TimingFigureOptions options() {
  TimingFigureOptions how;
  how.names = {"full", "linear"};
  how.sizes = {256, 512, 1024, 2048, 4096};
  return how;
}

const CurvesMark& curvesOf(const Plot& plot) {
  return std::get<CurvesMark>(plot.mark);
}

} // namespace

TEST_CASE("times are drawn with quartiles, fit and prediction", "[figure]") {
  const Plot plot = timePlot(timings(0.1), options());
  const CurvesMark& mark = curvesOf(plot);
  REQUIRE(mark.curves.size() == 6);
  const Curve& full = mark.curves[0];
  CHECK(nameOf(full) == "full  n²·⁰⁰");
  CHECK(full.kind == CurveKind::Data);
  REQUIRE(full.points.size() == 4);
  CHECK(full.points[1].x == 512);
  CHECK(full.points[1].y == Approx(1e-8 * 512 * 512));
  CHECK(full.bands[1].low == Approx(0.9 * full.points[1].y));
  CHECK(full.bands[1].high == Approx(1.1 * full.points[1].y));
  CHECK(mark.curves[1].kind == CurveKind::Theory);
  CHECK(mark.curves[1].dash == Dash::Dashed);
  CHECK(mark.curves[1].hue == full.hue);
  CHECK(mark.curves[2].dash == Dash::Dotted);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(mark.curves[1].points[k].y == Approx(full.points[k].y)); // the law is exact
    CHECK(mark.curves[2].points[k].y == Approx(full.points[k].y)); // so is the model here
  }
  CHECK(mark.x.scale == Scale::Log2);
  CHECK(mark.x.end == 4096); // of all that are requested
  CHECK(mark.y.scale == Scale::Log10);
}

TEST_CASE("measured curves differ in their markers, which all cover the same area", "[figure]") {
  for (std::size_t k = 0; k < 8; ++k) {
    CHECK(methodCurve(k).marker == markerOf(k));
    for (std::size_t other = 0; other < k; ++other)
      CHECK(!(markerOf(k) == markerOf(other)));
  }
  for (const MarkerShape shape :
       {MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Diamond}) {
    const std::vector<Point> corners = cornersOf(shape, {5, 7}, 2);
    double area = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Point& a = corners[k];
      const Point& b = corners[(k + 1) % corners.size()];
      area += (a.x * b.y - b.x * a.y) / 2;
    }
    CHECK(std::abs(area) == Approx(4 * std::acos(-1.0)));
  }
  const Plot plot = timePlot(timings(0.1), options());
  const auto markers = all<Markers>(layoutPlot(plot, {600, 400}, {13}, kMeasure).list);
  REQUIRE(markers.size() >= 2);
  CHECK(!(markers[0].marker == markers[1].marker));
}

TEST_CASE("lengths that every mechanism leaves out take no room", "[figure]") {
  Timings made = timings();
  made.omitted = {{0, 4096, TimingOmission::Why::TooLong, 1}};
  CHECK(curvesOf(timePlot(made, options())).x.end == 4096);
  made.omitted.push_back({1, 4096, TimingOmission::Why::TooLong, 1});
  CHECK(curvesOf(timePlot(made, options())).x.end == 2048);
}

TEST_CASE("named points stand apart and inside the plot", "[figure]") {
  CurvesMark mark;
  mark.x = {"x", Scale::Linear, 0, 1};
  mark.y = {"y", Scale::Linear, 0, 1};
  for (const double x : {0.0, 0.5, 0.5, 0.52, 1.0})
    mark.named.push_back({{x, x}, "n ≈ 1000"});
  mark.named.push_back({{2, 2}, "outside"});
  const TextMeasure measure = [](std::string_view text, double size, bool) {
    return 0.6 * size * static_cast<double>(text.size());
  };
  DisplayList list;
  const Box box{10, 20, 300, 200};
  PlotStyle style;
  style.names = true;
  drawNamedPoints(mark, box, style, {measure, LayoutOptions(), Run(), list});
  std::vector<Text> words;
  for (const Primitive2D& item : list.items)
    if (const auto* text = std::get_if<Text>(&item))
      words.push_back(*text);
  REQUIRE(words.size() == 5);
  const double width = measure(words[0].text, 13, false);
  for (std::size_t a = 0; a < words.size(); ++a) {
    CHECK(words[a].at.x >= box.x);
    CHECK(words[a].at.x + width <= box.right());
    CHECK(words[a].at.y >= box.y);
    CHECK(words[a].at.y <= box.bottom());
    for (std::size_t b = 0; b < a; ++b)
      CHECK((std::abs(words[a].at.x - words[b].at.x) >= width ||
             std::abs(words[a].at.y - words[b].at.y) >= 13));
  }
}

TEST_CASE("crossovers are named where the curves cross", "[figure]") {
  const Plot plot = timePlot(timings(), options());
  const CurvesMark& mark = curvesOf(plot);
  REQUIRE(mark.named.size() == 1);
  CHECK(mark.named[0].label == "n ≈ 1\u2009000");
  CHECK(mark.named[0].at.x == Approx(1000));
  CHECK(mark.named[0].at.y == Approx(0.01));
  CHECK(curvesOf(timePlot(timings(0.9), options())).named.empty()); // within noise
}

TEST_CASE("labels of crossovers stay off the curves in low plots too", "[figure]") {
  // Five mechanisms around the two that cross, so that curves run on all sides of the place.
  CurvesMark mark = curvesOf(timePlot(timings(), options()));
  const Curve full = mark.curves[0];
  for (const double factor : {0.25, 0.5, 2.0, 4.0}) {
    Curve other = full;
    for (Point& point : other.points)
      point.y *= factor;
    mark.curves.push_back(other);
  }
  mark.y.begin = std::pow(10, std::floor(std::log10(mark.y.begin)));
  mark.y.end = std::pow(10, std::ceil(std::log10(mark.y.end)));
  const double height = GENERATE(110.0, 130.0, 150.0, 200.0, 400.0);
  const double width = GENERATE(360.0, 520.0, 900.0);
  const Plot plot{mark, std::nullopt, std::nullopt};
  const PlacedPlot placed = layoutPlot(plot, {width, height}, {}, kMeasure);
  const auto texts = all<Text>(placed.list);
  const auto words = std::find_if(texts.begin(), texts.end(),
                                  [](const Text& text) { return text.text.starts_with("n ≈"); });
  REQUIRE(words != texts.end());
  const Box room = boxOf(*words);
  int crossed = 0;
  for (const Curve& curve : mark.curves)
    for (std::size_t k = 1; k < curve.points.size(); ++k)
      for (double share = 0; share <= 1; share += 1.0 / 64) {
        const Point a = placeOf(mark, placed.box, curve.points[k - 1]);
        const Point b = placeOf(mark, placed.box, curve.points[k]);
        crossed += overlap(room, {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), 0, 0});
      }
  INFO(width << " x " << height);
  CHECK(crossed == 0);
}

TEST_CASE("shares of the peak are drawn in percent", "[figure]") {
  const Plot plot = peakSharePlot(timings(), options());
  const CurvesMark& mark = curvesOf(plot);
  REQUIRE(mark.curves.size() == 2);
  for (const Curve& curve : mark.curves)
    for (const Point& point : curve.points)
      CHECK(point.y == Approx(50)); // 50 of 100 GFLOP/s
  CHECK(mark.y.begin == 0);
}

TEST_CASE("the figure of times says how they were measured", "[figure]") {
  const Figure figure = timingFigure(timings(), options());
  REQUIRE(figure.panels.size() == 2);
  for (const char* words :
       {"Median of 9 interleaved samples", "1 thread", "100.0 GFLOP/s (AVX-512)"})
    CHECK(figure.caption.find(words) != std::string::npos);
  CHECK(figure.caption.find("noisy") == std::string::npos);
  CHECK(timingFigure(timings(0.2), options()).caption.find("noisy") != std::string::npos);
  const std::string tex = texOf(figure);
  CHECK(tex.find("n $\\approx$ 1\\,000") !=
        std::string::npos); // where they cross, in LaTeX's notation
}

TEST_CASE("a mechanism with a title is called by it", "[figure]") {
  Scene scene;
  TimedMechanism own;
  own.title = "X (OPT)";
  TimedMechanism features;
  features.kind = TimedMechanism::Kind::Features;
  scene.timings.mechanisms = {own, features};
  const TimingQuestion question = timingQuestion(scene);
  const auto methods = methodsOf(question);
  const auto names = namesOf(question, methods);
  CHECK(names == std::vector<std::string>{"X (OPT)", nameOf(features, methods[1])});
  CHECK(figureOptionsOf(question, methods).names == names);
}

TEST_CASE("a figure of times not measured yet has axes", "[figure]") {
  const Figure figure = timingFigure(Timings(), options());
  CHECK(texOf(figure).find("16\\,384") == std::string::npos);
  CHECK(texOf(figure).find("4\\,096") != std::string::npos);
  const Plot shares = peakSharePlot(Timings(), options());
  CHECK(curvesOf(shares).y.begin == 0); // and no share below zero
  CHECK(curvesOf(shares).y.end == 100);
}

TEST_CASE("shares above the peak are called noise and not stated", "[figure]") {
  Timings made = timings();
  made.rows[1].peakShare = 1.49;
  const std::string drawn = timingFigure(made, options()).caption;
  CHECK(drawn.find("Points above 100 % of the peak are noise") != std::string::npos);
  const CurvesMark mark = curvesOf(peakSharePlot(made, options()));
  CHECK(mark.curves[0].points.size() == 3);
  CHECK(mark.y.end <= 100);
  std::string text;
  for (const std::string& sentence : readingOf(made, options().names))
    text += sentence + " ";
  CHECK(text.find("149") == std::string::npos);
  CHECK(text.find("too noisy") != std::string::npos);
  CHECK(text.find("“full” seemed faster than the machine's peak") != std::string::npos);
  CHECK(peakShareText(made.rows[1]) == "too noisy");
  CHECK(ofPeakText(made.rows[1]) == "share of the peak too noisy to tell");
  made.rows[1].peakShare = 0.5;
  CHECK(peakShareText(made.rows[1]) == "50.0 %");
  CHECK(ofPeakText(made.rows[1]) == "50.0 % of the peak");
}

TEST_CASE("doubts about times follow the scene's own caption too", "[figure]") {
  Timings made = timings(0.2);
  for (std::size_t k = 0; k < 5; ++k) // all of the first mechanism, one of the second
    made.rows[k].peakShare = 1.5;
  Scene scene;
  scene.view = View::Timings;
  scene.caption = "What the paper has.";
  TimedMechanism full;
  full.kind = TimedMechanism::Kind::Pattern;
  full.title = "full";
  TimedMechanism linear;
  linear.kind = TimedMechanism::Kind::Features;
  linear.title = "linear";
  scene.timings.mechanisms = {full, linear};
  SceneFigureOptions how;
  how.ready.give(std::make_shared<const Timings>(made));
  const std::string shares =
      "Points above 100 % of the peak are noise and are not drawn: all points of “full”, 1 of 4 "
      "points of “linear”.";
  CHECK(figureOfScene(scene, how).caption ==
        "What the paper has. The machine was noisy: quartiles up to 40.0 % apart. " + shares);
  how.ready.give(std::make_shared<const Timings>(timings()));
  CHECK(figureOfScene(scene, how).caption == scene.caption);
  how.ready.give(std::make_shared<const Timings>());
  CHECK(figureOfScene(scene, how).caption ==
        "What the paper has. Nothing could be measured in the time that a figure may take. Draw it "
        "again when the machine is idle.");
  scene.caption.clear();
  how.ready.give(std::make_shared<const Timings>(made));
  const std::string general = figureOfScene(scene, how).caption;
  CHECK(general.find(shares) != std::string::npos);
  CHECK(general.find(shares) == general.rfind(shares)); // once
  CHECK(sharesLeftOutText(timings(), options().names).empty());
  Timings few = timings();
  few.rows[2].seconds.samples = 3;
  CHECK(doubtsText(few, options().names) ==
        "Some medians come from fewer than 4 samples, too few to judge noise.");
}

TEST_CASE("a line to a crossover ends beside its label", "[figure]") {
  CurvesMark mark = curvesOf(timePlot(timings(), options()));
  mark.named[0].at = {289, 1e-8 * 289 * 289}; // on the left, as with small lengths
  const double width = GENERATE(360.0, 520.0, 900.0);
  const double height = GENERATE(130.0, 200.0, 340.0);
  const PlacedPlot placed =
      layoutPlot({mark, std::nullopt, std::nullopt}, {width, height}, {}, kMeasure);
  const auto texts = all<Text>(placed.list);
  const auto words = std::find_if(texts.begin(), texts.end(),
                                  [](const Text& text) { return text.text.starts_with("n ≈"); });
  REQUIRE(words != texts.end());
  const Box room = boxOf(*words);
  const Point dot = placeOf(mark, placed.box, mark.named[0].at);
  for (const Polyline& line : all<Polyline>(placed.list))
    if (line.points.size() == 2 &&
        std::hypot(line.points[0].x - dot.x, line.points[0].y - dot.y) < 1e-6) {
      const Point& end = line.points[1];
      const double across = std::max({room.x - end.x, end.x - room.right(), 0.0});
      const double down = std::max({room.y - end.y, end.y - room.bottom(), 0.0});
      CHECK(std::hypot(across, down) >= 0.2 * words->size);
    }
}

TEST_CASE("a table of times has what the figure draws, including bytes", "[figure]") {
  Timings made = timings();
  made.rows[0].work.bytes = 4096;
  const CsvTable table = timingTable(made, options().names);
  CHECK(table.headings.back() == "bytes");
  REQUIRE(table.rows.size() == 8);
  CHECK(table.rows[0].back() == "4096");
  CHECK(table.rows[0].size() == table.headings.size());
}

TEST_CASE("medians that cross within their quartiles are not a certain crossover", "[figure]") {
  CHECK(noCrossoverText(timings(0.9)) ==
        "no clear crossover: where the medians cross, the quartiles overlap");
  Timings few = timings(0.9);
  for (TimingRow& row : few.rows)
    row.seconds.samples = 2;
  CHECK(noCrossoverText(few) ==
        "no clear crossover: where the medians cross, there are too few samples");
  Timings apart = timings();
  for (TimingRow& row : apart.rows)
    if (row.method == 1)
      row.seconds.median *= 100;
  CHECK(noCrossoverText(apart) == "none within these sizes");
}

TEST_CASE("too few samples are mentioned only where medians cross", "[figure]") {
  // Methods 0 and 1 cross between 512 and 1024, with quartiles that overlap; 2 is slower
  // throughout.
  Timings made = timings(0.9);
  for (std::size_t k = 0; k < 4; ++k) {
    TimingRow slow = made.rows[k];
    slow.method = 2;
    slow.seconds.median *= 1000;
    slow.seconds.samples = 2;
    made.rows.push_back(slow);
  }
  made.rows[0].seconds.samples = 2; // at 256 they do not cross
  CHECK(noCrossoverText(made) ==
        "no clear crossover: where the medians cross, the quartiles overlap");
  made.rows[6].seconds.samples = 2; // the one at 1024 does
  CHECK(noCrossoverText(made) ==
        "no clear crossover: where the medians cross, there are too few samples");
  for (std::size_t k = 8; k < 12;
       ++k) // crosses the first one with few samples, between 256 and 512
    made.rows[k].seconds.median = made.rows[k - 8].seconds.median * (k == 8 ? 2 : 0.5);
  made.rows[6].seconds.samples = 9;
  CHECK(noCrossoverText(made) == "no clear crossover: where the medians cross, the quartiles "
                                 "overlap or there are too few samples");
}
