// Each point, band, fitted line and word of the figure of Timings, for a measurement of round
// numbers: full attention takes n² · 10⁻⁹ s, a window n · 10⁻⁶ s; quartiles are 4 % off.
#include "core/analysis/timing/timing_text.h"
#include "core/analysis/timing/timings.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "tests/core/figure/drawn.h"

#include <algorithm>
#include <array>

using namespace attention;

namespace {

constexpr std::array<Index, 4> kSizes{256, 512, 1024, 2048};
constexpr double kPeak = 100; // GFLOP/s

double secondsOf(std::size_t method, Index n) {
  const auto size = static_cast<double>(n);
  return method == 0 ? size * size * 1e-9 : size * 1e-6;
}

Scene timedScene() {
  Scene scene;
  scene.view = View::Timings;
  scene.timings.from = 256;
  scene.timings.to = 2048;
  scene.timings.d = 8;
  TimedMechanism full;
  full.kind = TimedMechanism::Kind::Pattern;
  full.pattern = Full{};
  TimedMechanism window = full;
  window.pattern = Local{4, true};
  scene.timings.mechanisms = {full, window};
  return scene;
}

Timings measurement() {
  Timings timings;
  for (std::size_t method = 0; method < 2; ++method)
    for (const Index n : kSizes) {
      TimingRow row;
      row.method = method;
      row.n = n;
      row.seconds.median = secondsOf(method, n);
      row.seconds.q1 = 0.96 * row.seconds.median;
      row.seconds.q3 = 1.04 * row.seconds.median;
      row.seconds.minimum = 0.9 * row.seconds.median;
      row.seconds.samples = 15;
      row.work.flops = row.work.usefulFlops = 1e9 * row.seconds.median * (method == 0 ? 40 : 5);
      timings.rows.push_back(row);
    }
  timings.peak.median = timings.peak.q1 = timings.peak.q3 = 1;
  timings.peakGflops = kPeak;
  timings.vectors = "AVX2";
  timings.fitFrom = 256;
  analyse(timings);
  return timings;
}

DisplayList timingsList() {
  SceneFigureOptions options;
  options.ready.give(std::make_shared<const Timings>(measurement()));
  return drawn(timedScene(), options);
}

// A plot of the figure: its frame, and where its numbers are on logarithmic axes.
struct Plot2D {
  Box frame;
  double lowValue = 0; // between two ticks on the left
  double lowY = 0;
  double highValue = 0;
  double highY = 0;

  double x(Index n) const {
    return frame.x + frame.width * std::log2(static_cast<double>(n) / 256) / 3;
  }
  double y(double value) const {
    return lowY + (highY - lowY) * std::log(value / lowValue) / std::log(highValue / lowValue);
  }
};

// The height of a number's line to the left of a frame.
double tickOf(const DisplayList& list, const Box& frame, const std::string& words) {
  for (const Text& text : all<Text>(list))
    if (text.text == words && text.at.x < frame.x && text.at.y > frame.y - 10 &&
        text.at.y < frame.bottom() + 10)
      for (const Polyline& line : all<Polyline>(list))
        if (near(line.points[0].x, frame.x) && near(line.points.back().x, frame.right()) &&
            line.points.size() == 2 && std::abs(line.points[0].y - text.at.y) < 5)
          return line.points[0].y;
  FAIL("no tick " << words);
  return 0;
}

std::vector<Box> framesOf(const DisplayList& list) {
  std::vector<Box> frames;
  for (const StrokeBox& box : all<StrokeBox>(list))
    frames.push_back(box.box);
  REQUIRE(frames.size() == 3);
  return frames;
}

Plot2D secondsPlot(const DisplayList& list) {
  const Box frame = framesOf(list)[0];
  return {frame, 1e-4, tickOf(list, frame, "10⁻⁴"), 1e-3, tickOf(list, frame, "10⁻³")};
}

// Whether the line or the markers are of that mechanism, point by point.
bool isOf(const std::vector<Point>& points, const Plot2D& plot, std::size_t method, double times) {
  bool same = points.size() == kSizes.size();
  for (std::size_t k = 0; same && k < kSizes.size(); ++k)
    same = near(points[k].x, plot.x(kSizes[k])) &&
           std::abs(points[k].y - plot.y(times * secondsOf(method, kSizes[k]))) < 0.05;
  return same;
}

TEST_CASE("Seconds are drawn with their quartiles, fitted line and cost model", "[drawn]") {
  const DisplayList list = timingsList();
  const Plot2D plot = secondsPlot(list);
  for (std::size_t method = 0; method < 2; ++method) {
    int points = 0;
    int bands = 0;
    std::array<int, 3> lines{}; // solid, dashed, dotted
    for (const Markers& markers : all<Markers>(list))
      points += isOf(markers.centres, plot, method, 1) ? 1 : 0;
    for (const Strip& strip : all<Strip>(list))
      bands +=
          isOf(strip.above, plot, method, 1.04) && isOf(strip.below, plot, method, 0.96) ? 1 : 0;
    for (const Polyline& line : all<Polyline>(list))
      if (isOf(line.points, plot, method, 1))
        ++lines.at(static_cast<std::size_t>(line.dash));
    INFO("mechanism " << method);
    CHECK(points == 1);
    CHECK(bands == 1);
    CHECK(lines == std::array{1, 1, 1});
  }
  CHECK(all<Strip>(list).size() == 2);
}

TEST_CASE("Points of the times tell what the window tells of them, and what the lines are",
          "[drawn]") {
  SceneFigureOptions options;
  const Timings timings = measurement();
  options.ready.give(std::make_shared<const Timings>(timings));
  const Figure figure = figureOfScene(timedScene(), options);
  const std::vector<PlaceWords> seconds = figure.panels[0].plots[0].told();
  REQUIRE(seconds.size() == 3 * timings.rows.size());
  const std::vector<PlaceWords> shares = figure.panels[1].plots[0].told();
  REQUIRE(shares.size() == timings.rows.size());
  for (std::size_t k = 0; k < timings.rows.size(); ++k) {
    const TimingRow& row = timings.rows[k];
    const std::string words = rowText(row, row.method == 0 ? "Full" : "Local, window 4, causal");
    CHECK(seconds[k].words == words);
    CHECK(seconds[k].box == Box{static_cast<double>(row.n), row.seconds.median, 0, 0});
    CHECK(shares[k].words == words);
    CHECK(shares[k].box.y == 100 * row.peakShare);
  }
  CHECK(seconds[0].words.starts_with("Full\nn = 256: 65.5 µs (62.9 µs – 68.2 µs, 15 samples)\n"));
  CHECK(seconds[0].words.find("40.0 % of the peak\npredicted 65.5 µs") != std::string::npos);
  const auto says = [&](const std::string& words) {
    return std::any_of(seconds.begin(), seconds.end(),
                       [&](const PlaceWords& of) { return of.words == words; });
  };
  CHECK(says("Full\nn = 1\u2009024: 1.05 ms by the fitted n²·⁰⁰"));
  CHECK(says("Local, window 4, causal\nn = 2\u2009048: 2.05 ms by the cost model"));
}

TEST_CASE("Shares of the peak are 40 % and 5 %", "[drawn]") {
  const DisplayList list = timingsList();
  const Box frame = framesOf(list)[1];
  const double zero = tickOf(list, frame, "0");
  const double twenty = tickOf(list, frame, "20");
  std::array<int, 2> found{};
  for (const Markers& markers : all<Markers>(list))
    for (std::size_t method = 0; method < 2; ++method) {
      const double y = zero + (twenty - zero) * (method == 0 ? 2 : 0.25);
      bool same = markers.centres.size() == 4;
      for (const Point& at : markers.centres)
        same = same && std::abs(at.y - y) < 0.01;
      found[method] += same ? 1 : 0;
    }
  CHECK(found == std::array{1, 1});
}

TEST_CASE("Bytes are those of the cost model", "[drawn]") {
  const DisplayList list = timingsList();
  const Box frame = framesOf(list)[2];
  const Plot2D plot{frame, 1e4, tickOf(list, frame, "10⁴"), 1e6, tickOf(list, frame, "10⁶")};
  std::array<int, 2> found{};
  for (const Markers& markers : all<Markers>(list))
    for (std::size_t method = 0; method < 2; ++method) {
      bool same = markers.centres.size() == 4;
      for (std::size_t k = 0; same && k < 4; ++k) {
        const auto n = static_cast<double>(kSizes[k]);
        const double pairs = method == 0 ? n * n : 4 * n - 6;
        same = std::abs(markers.centres[k].y - plot.y(4 * (pairs + n * 32))) < 0.05;
      }
      found[method] += same ? 1 : 0;
    }
  CHECK(found == std::array{1, 1});
}

TEST_CASE("The crossover is marked where n² · 10⁻⁹ equals n · 10⁻⁶", "[drawn]") {
  const DisplayList list = timingsList();
  const Plot2D plot = secondsPlot(list);
  int marks = 0;
  for (const Markers& markers : all<Markers>(list))
    if (markers.centres.size() == 1) {
      ++marks;
      CHECK(std::abs(markers.centres[0].x - plot.x(1000)) < 0.5);
      CHECK(std::abs(markers.centres[0].y - plot.y(1e-3)) < 0.5);
    }
  CHECK(marks == 1);
}

TEST_CASE("The figure of Timings has these words and no others", "[drawn]") {
  Words words = wordsOf(timingsList());
  for (std::string& text : words) // thin spaces between thousands
    for (std::size_t at = text.find("\u2009"); at != text.npos; at = text.find("\u2009"))
      text.replace(at, 3, " ");
  const Words wanted{"Time of attention against n, measured on this machine",
                     "seconds",
                     "256",
                     "512",
                     "1 024",
                     "2 048",
                     "n",
                     "10⁻⁴",
                     "10⁻³",
                     "Full  n²·⁰⁰",
                     "Local, window 4, causal  n¹·⁰⁰",
                     "n ≈ 1 000",
                     "% of the FMA peak",
                     "256",
                     "512",
                     "1 024",
                     "2 048",
                     "n",
                     "0",
                     "20",
                     "40",
                     "Full",
                     "Local, window 4, causal",
                     "bytes, by the cost model",
                     "256",
                     "512",
                     "1 024",
                     "2 048",
                     "n",
                     "10⁴",
                     "10⁶",
                     "10⁸",
                     "Full",
                     "Local, window 4, causal"};
  REQUIRE(words.size() > wanted.size());
  CHECK(Words(words.begin(), words.begin() + std::ssize(wanted)) == wanted);
  std::string caption;
  for (std::size_t k = wanted.size(); k < words.size(); ++k)
    caption += (caption.empty() ? "" : " ") + words[k];
  CHECK(caption ==
        "Median of 15 interleaved samples on 1 thread, d = 8, band from the lower to the upper "
        "quartile. Dashed: the fitted power law. Dotted: the cost model scaled to match at the "
        "largest size. Beside it: useful operations per second as a share of the machine's peak of "
        "fused multiply-adds, 100.0 GFLOP/s (AVX2), measured between the same samples. Memory is "
        "modelled, not measured: inputs, output, and scores or features as if all were stored.");
}

} // namespace
