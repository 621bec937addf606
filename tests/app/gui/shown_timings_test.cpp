// Everything that Timings shows of a measurement, from its rows.
#include "app/gui/views/timings/timings_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/analysis/timing/timing_text.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "tests/app/gui/shown_things.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention::gui {
namespace {

// The slope of ln seconds over ln n by least squares.
double slopeOf(const std::vector<const TimingRow*>& rows) {
  const auto count = static_cast<double>(rows.size());
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const TimingRow* row : rows) {
    const double a = std::log(static_cast<double>(row->n));
    const double b = std::log(row->seconds.median);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

TEST_CASE("Timings gives the measured rows, their growth and what it left out", "[shown]") {
  Scene scene = smallScene();
  scene.view = View::Timings;
  scene.timings.from = 256;
  scene.timings.to = 32768;
  scene.timings.d = 8;
  TimedMechanism full;
  full.kind = TimedMechanism::Kind::Pattern;
  full.pattern = Full{};
  TimedMechanism near = full;
  near.pattern = Local{2, true};
  scene.timings.mechanisms = {full, near};
  TestWindow window(scene);
  const Timings& of = window.results().part<TimingsResults>().shown->timings;
  const Words names{"Full", "Local, window 2, causal"};
  Words wanted{"At the largest n"};
  std::array<std::vector<const TimingRow*>, 2> rows;
  for (const TimingRow& row : of.rows)
    rows.at(row.method).push_back(&row);
  REQUIRE(rows[1].size() == 8);
  REQUIRE(rows[0].size() < 8); // 32 768² pairs take more than 100 ms
  for (std::size_t m = 0; m < 2; ++m) {
    const TimingRow& last = *rows[m].back();
    wanted.push_back(names[m] + ": " + secondsText(last.seconds.median));
    wanted.push_back("n = " + withPlainSpaces(groupDigits(last.n)) + ", " +
                     shortNumber(last.gflops, 3) + " GFLOP/s, " +
                     (last.gflops > of.peakGflops
                          ? "share of the peak too noisy to tell"
                          : fixed(100 * last.gflops / of.peakGflops, 1) + " % of the peak"));
  }
  const Words said = wordsIn(window, "Inspector");
  const auto from = std::find(said.begin(), said.end(), "At the largest n");
  CHECK(Words(from, said.end()) == wanted);
  const auto growth = std::find(said.begin(), said.end(), "Growth: from n = 256");
  REQUIRE(growth != said.end());
  for (std::size_t m = 0; m < 2; ++m) {
    const std::string start = names[m] + ": n" + raised(fixed(slopeOf(rows[m]), 2));
    INFO(growth[1 + 2 * static_cast<std::ptrdiff_t>(m)] << " / " << start);
    CHECK(growth[1 + 2 * static_cast<std::ptrdiff_t>(m)].starts_with(start));
    CHECK(growth[2 + 2 * static_cast<std::ptrdiff_t>(m)].starts_with(
        m == 0 ? "the cost model: n²·⁰⁰; R² " : "the cost model: n¹·⁰⁰; R² "));
  }
  const Words view = wordsIn(window, "View");
  CHECK(Words(view.begin(), view.begin() + 7) ==
        Words{"Time against n on this machine, 1 thread, d = 8", "seconds per run, median",
              "Seconds: " + std::to_string(of.rows.size()) + " rows", "% of the FMA peak",
              "Shares: " + std::to_string(of.rows.size()) + " rows",
              "bytes by the cost model, not measured",
              "Memory: " + std::to_string(of.rows.size()) + " rows"});
  CHECK(std::count(view.begin(), view.end(),
                   "Full stops at n = " + withPlainSpaces(groupDigits(rows[0].back()->n)) +
                       ": longer runs take more than 100 ms; attnx time can measure them") == 1);
  CHECK(countsOf(window) == "n 256 … 32 768 · d 8 · 1 head · 1 thread");
  // Seconds have 0.62 of the height, less the note about noise below; the others are side by side.
  const auto boxOf = [&](const char* label) { return window.app().log().find(label)->rect; };
  const float bottom = boxOf("Shares").y1;
  const float middle = 94 + 0.62F * (bottom - 94 - 8);
  checkBoxes(window, {{"Seconds", {346, 120, 1074, middle}},
                      {"Shares", {346, middle + 34, 698, bottom}},
                      {"Memory", {722, middle + 34, 1074, bottom}}});
  CHECK(bottom > 760);
}

} // namespace
} // namespace attention::gui
