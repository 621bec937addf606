#include "app/gui/results/timing_results.h"

#include "core/figure/memory_plot.h"

namespace attention::gui {
namespace {

constexpr double kBetweenParts = 0.25; // seconds
constexpr Index kLiveSamples = 15;

TimingsShown shownOf(Timings timings, const TimingFigureOptions& options, const Plot& memory) {
  TimingsShown shown;
  shown.memory = memory;
  shown.seconds = timePlot(timings, options);
  shown.shares = peakSharePlot(timings, options);
  for (Plot* plot :
       {&shown.seconds, &shown.shares, &shown.memory}) // above the curves there is more room
    std::get<CurvesMark>(plot->mark).y.label.clear();
  shown.reading = readingOf(timings, options.names);
  shown.options = options;
  shown.timings = std::move(timings);
  return shown;
}

} // namespace

std::shared_ptr<const TimingsShown> makeTimings(const TimingKey& key,
                                                const std::shared_ptr<FrameGate>& gate,
                                                const Run& run, Parts<TimingsShown>& parts) {
  const std::vector<ScoredMethod> methods = methodsOf(key.question, run.quiet());
  const TimingFigureOptions options = figureOptionsOf(key.question, methods);
  const Plot memory = memoryPlot(key.question, methods, options, run.quiet());
  SamplingOptions sampling;
  sampling.samples = kLiveSamples;
  sampling.longest = FrameGate::kLongestSample;
  if (gate)
    sampling.gate = gate->forSampler();
  const Clock clock = steadyClock();
  double next = 0;
  const auto publish = [&](const Timings& timings) {
    // Before the first row there is nothing to show: the last measurement stays.
    if (timings.rows.empty() || clock() < next)
      return;
    if (gate)
      gate->oweFrame();
    parts.publish(std::make_shared<const TimingsShown>(shownOf(timings, options, memory)));
    next = clock() + kBetweenParts;
  };
  return std::make_shared<const TimingsShown>(
      shownOf(timingsOf(key.question, methods, sampling, publish, run), options, memory));
}

} // namespace attention::gui
