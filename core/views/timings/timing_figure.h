// Times of mechanisms against n as a figure: medians with their quartiles on log-log axes, the
// fitted power law, the cost model, and where one mechanism overtakes another; beside it the share
// of the machine's measured peak.
#pragma once

#include "core/analysis/timing/timings.h"
#include "core/export/csv_table.h"
#include "core/plot/figure.h"

#include <span>
#include <string>

namespace attention {

struct TimingFigureOptions {
  std::vector<std::string> names; // of the mechanisms, in their order
  std::vector<Index> sizes;       // all requested sizes, so that growing curves stay in place
  int threads = 1;                // for the caption
  Index d = 64;
  FigureTheme theme = FigureTheme::Light;
};

// Seconds of a run against n: a band from the lower to the upper quartile; dashed, the fitted power
// law over its sizes, labelled with its exponent; dotted, the model's prediction; crossovers as
// named points.
Plot timePlot(const Timings& timings, const TimingFigureOptions& options);

// Useful operations per second as a share of the peak, against n.
Plot peakSharePlot(const Timings& timings, const TimingFigureOptions& options);

// Both, with a caption of how they were measured.
Figure timingFigure(const Timings& timings, const TimingFigureOptions& options);

// A line per row: everything known about it, times in seconds. `names` of the mechanisms.
CsvTable timingTable(const Timings& timings, std::span<const std::string> names);

// The hue, the dash and the marker of a mechanism, the same in every plot.
Curve methodCurve(std::size_t method);

} // namespace attention
