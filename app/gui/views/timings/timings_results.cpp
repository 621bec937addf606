#include "app/gui/results/view_stages.h"
#include "app/gui/views/timings/timings_view.h"
#include "core/support/number_text.h"
#include "core/views/timings/scene_timings.h"

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

TimingsShown makeTimings(const TimingQuestion& question, const std::shared_ptr<FrameGate>& gate,
                         const std::function<void(TimingsShown)>& publish, const Run& run) {
  const std::vector<ScoredMethod> methods = methodsOf(question, run.quiet());
  const TimingFigureOptions options = figureOptionsOf(question, methods);
  const Plot memory = memoryPlot(question, methods, options, run.quiet());
  SamplingOptions sampling;
  sampling.samples = kLiveSamples;
  sampling.longest = FrameGate::kLongestSample;
  if (gate)
    sampling.gate = gate->forSampler();
  const Clock clock = steadyClock();
  double next = 0;
  const auto onRows = [&](const Timings& timings) {
    // Before the first row there is nothing to show: the last measurement stays.
    if (timings.rows.empty() || clock() < next)
      return;
    if (gate)
      gate->oweFrame();
    publish(shownOf(timings, options, memory));
    next = clock() + kBetweenParts;
  };
  TimingsShown shown =
      shownOf(timingsOf(question, methods, sampling, onRows, run), options, memory);
  if (auto why = tileCostSentence(shown.timings, methods, options.names, run.quiet()))
    shown.reading.push_back(std::move(*why));
  return shown;
}

namespace {

// Times are measured while the window is idle. In other views nothing is measured, and the last
// results stay.
class TimingsStages final : public ViewStages {
public:
  explicit TimingsStages(Results& all)
      : ViewStages({&times_}), shown_(all.part<TimingsResults>().shown) {}

  void update(const Asking& asking) override {
    times_.askInParts(
        asking, "measuring times",
        [gate = asking.gate](const TimingQuestion& question, Index /*round*/, const auto& publish,
                             const Run& run) { return makeTimings(question, gate, publish, run); },
        madeOrProblem([&] { return timingQuestion(asking.scene); }), round_);
  }
  void leave() override {
    if (times_.works())
      times_.drop();
  }
  void reload() override {} // of no file
  void repeat() override { ++round_; }
  ShownState shown() const override { return stateOf(shown_); }
  std::string title() const override {
    if (!shown_)
      return {};
    return "Time against n on this machine, " + countText(shown_->options.threads, "thread") +
           ", d = " + std::to_string(shown_->options.d);
  }

private:
  Latest<TimingsShown>& shown_;
  StageOf<TimingsShown, TimingQuestion, Index> times_{shown_};
  Index round_ = 0; // measured again
};

} // namespace

std::unique_ptr<ViewStages> timingsStages(Results& results) {
  return std::make_unique<TimingsStages>(results);
}

} // namespace attention::gui
