#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/timings/timings_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/analysis/timing/timing_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

std::string exponentText(const TimingExponent& of) {
  std::string text = "n" + raised(fixed(of.measured.exponent, 2));
  if (of.measured.standardError)
    text += " ± " + shortNumber(*of.measured.standardError, 1);
  return text;
}

void machineFacts(const PanelContext& c, const TimingsShown& shown) {
  const Ui& ui = c.ui;
  const Timings& timings = shown.timings;
  sectionHeading(ui, "This machine", vectorsText(timings));
  if (c.results.part<TimingsResults>().shown.stale)
    caption(ui, kOfLastMeasurement);
  const bool measured = timings.peakGflops > 0;
  valueRow(
      ui, "FMA peak",
      measured ? shortNumber(timings.peakGflops, 4) + " GFLOP/s" : "not measured yet",
      "The highest rate at which this machine multiplies and adds numbers in its registers (fused "
      "multiply-adds), measured between the samples; each counts as 2 operations");
  if (timings.noise.noisy)
    note(ui, NoteKind::Warning, "noisy: " + noiseText(timings, shown.options.names));
}

void exponentFacts(const PanelContext& c, const TimingsShown& shown) {
  if (shown.timings.exponents.empty())
    return;
  const Ui& ui = c.ui;
  space(ui, 6);
  sectionHeading(ui, "Growth", "from n = " + groupDigits(shown.timings.fitFrom));
  for (const TimingExponent& of : shown.timings.exponents) {
    valueRow(ui, shown.options.names[of.method], exponentText(of),
             "Slope of ln median against ln n by least squares, with its standard error");
    if (of.predicted)
      caption(ui,
              "the cost model: n" + raised(fixed(of.predicted->exponent, 2)) +
                  (of.measured.points > 2 ? "; R² " + shortNumber(of.measured.rSquared, 4) : ""));
  }
}

// Only when everything is measured is it known that there are none.
void crossoverFacts(const PanelContext& c, const TimingsShown& shown) {
  const bool none = shown.timings.crossovers.empty();
  const bool partly = shown.timings.rows.empty() ||
                      c.results.part<TimingsResults>().shown.pending ||
                      c.results.part<TimingsResults>().shown.problem;
  if (shown.options.names.size() < 2 || (none && partly))
    return;
  const Ui& ui = c.ui;
  space(ui, 6);
  sectionHeading(ui, "Crossovers");
  for (const TimingCrossover& crossover : shown.timings.crossovers)
    caption(ui, "n ≈ " + groupDigits(std::lround(crossover.at.n)) + ": beyond it, " +
                    shown.options.names[crossover.above] + " is faster than " +
                    shown.options.names[crossover.below] + " (between the measured " +
                    groupDigits(crossover.at.low) + " and " + groupDigits(crossover.at.high) + ")");
  if (none)
    caption(ui, noCrossoverText(shown.timings));
}

// The largest size of each mechanism.
void largestFacts(const PanelContext& c, const TimingsShown& shown) {
  const Ui& ui = c.ui;
  const auto& rows = shown.timings.rows;
  if (rows.empty())
    return;
  space(ui, 6);
  sectionHeading(ui, "At the largest n");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k + 1 < rows.size() && rows[k + 1].method == rows[k].method)
      continue;
    const TimingRow& row = rows[k];
    valueRow(ui, shown.options.names[row.method], secondsText(row.seconds.median),
             "Median over the samples");
    caption(ui, "n = " + groupDigits(row.n) + ", " + shortNumber(row.gflops, 3) + " GFLOP/s, " +
                    ofPeakText(row) +
                    (row.chooses ? "; choosing keys " + secondsText(row.choosing.median) : ""));
  }
}

} // namespace

void drawTimingsFacts(const PanelContext& c) {
  const Latest<TimingsShown>& timings = c.results.part<TimingsResults>().shown;
  if (!timings)
    return sectionHeading(c.ui, "This machine");
  machineFacts(c, *timings);
  drawReadThis(c.ui, timings->reading);
  exponentFacts(c, *timings);
  crossoverFacts(c, *timings);
  largestFacts(c, *timings);
}

} // namespace attention::gui
