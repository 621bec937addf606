#include "core/views/view_unit.h"

#include "core/analysis/timing/timing_text.h"
#include "core/support/error.h"
#include "core/views/scene_words.h"
#include "core/views/timings/scene_timings.h"

#include <array>

namespace attention {
namespace {

Timings measured(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                 const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<Timings>();
  return ready ? *ready : timingsForFile(question, methods, run);
}

Timings answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  return measured(question, methodsOf(question, run.quiet()), options, run);
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  const std::vector<ScoredMethod> methods = methodsOf(question, run);
  const std::vector<std::string> names = namesOf(question, methods);
  const Timings timings = measured(question, methods, options, run);
  std::vector<std::string> said = readingOf(timings, names);
  if (auto why = tileCostSentence(timings, methods, names, run))
    said.push_back(std::move(*why));
  return said;
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  const std::vector<ScoredMethod> methods = methodsOf(question, run);
  TimingFigureOptions how = figureOptionsOf(question, methods);
  how.theme = options.theme;
  const Timings timings = measured(question, methods, options, run);
  Figure figure = timingFigure(timings, how);
  figure.panels.push_back({"", {memoryPlot(question, methods, how, run)}, {}});
  addToCaption(figure, "Memory is modelled, not measured: inputs, output, and scores or features "
                       "as if all were stored.");
  figure = inWordsOf(scene, std::move(figure));
  const std::string doubts = doubtsText(timings, how.names);
  // The Scene's own words know nothing about this measurement.
  if (!wordsOf(scene).caption.empty() && !doubts.empty())
    addToCaption(figure, doubts);
  if (timings.rows.empty())
    addToCaption(figure, "Nothing could be measured in the time that a figure may take. Draw it "
                         "again when the machine is idle.");
  return figure;
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  const std::vector<ScoredMethod> methods = methodsOf(question, run);
  return timingTable(measured(question, methods, options, run), namesOf(question, methods));
}

constexpr std::array kForms{
    DataForm{".csv", "Medians, quartiles, rates and predictions, one line per mechanism and length",
             writeTable<tableOf>}};

// Memory, which is modelled: without measuring.
Figure memoryOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  SceneFigureOptions how = options;
  how.ready.give(std::make_shared<const Timings>());
  Figure figure = figureOf(scene, how, run);
  figure.panels.erase(figure.panels.begin(), figure.panels.end() - 1);
  return figure;
}

bool timesPattern(const Scene& scene) {
  return scene.timings.mechanisms.empty() || timesOwn(scene.timings.mechanisms);
}

[[noreturn]] void refuseSweep(const Scene&) {
  throw Error(ErrorCode::Unsupported, "view",
              "the Timings view is measured, not swept; choose a scene of another view");
}

} // namespace

ViewUnit timingsUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .thumbnail = memoryOf,
          .reading = readingIn,
          .answers = giveAnswer<Timings, answerOf>,
          .copySpec = takeMember<&Scene::timings>,
          .choosesPattern = false,
          .drawsOwnPattern = timesPattern,
          .takesInput = never,
          .checkSweep = refuseSweep};
}

} // namespace attention
