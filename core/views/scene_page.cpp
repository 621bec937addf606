#include "core/views/scene_page.h"

#include "core/model/model_input.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/views/own_frame.h"
#include "core/views/scene_words.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// The options with what figure and reading of this Scene are both made of.
SceneFigureOptions withAnswers(const Scene& scene, SceneFigureOptions options, const Run& run) {
  if (const auto answers = unitOf(scene.view).answers)
    answers(scene, options, run);
  return options;
}

std::string readingIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  std::string text;
  if (const auto reading = unitOf(scene.view).reading)
    for (const std::string& sentence : reading(scene, options, run))
      text += (text.empty() ? "" : " ") + sentence;
  return text;
}

PageFigure playedPage(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  PageFigure page;
  if (const auto plays = unitOf(scene.view).plays)
    page = plays(scene, options, run);
  if (page.frames.size() < 2) {
    page = PageFigure();
    page.frames.push_back({figureOfScene(scene, options, run), {}});
  }
  return page;
}

// "stride = 5": whole numbers as they are, others as precisely as anybody would read.
std::string namedValue(const Frames& frames, std::size_t k) {
  const double value = frames.values[k];
  return frames.of + " = " +
         (value == std::floor(value) ? groupedDigits(std::llround(value)) : readableNumber(value));
}

// Below every frame, which the slider names. A caption that the frames have not is the figure's
// own, so it says of which value it speaks; where that is in no frame, it would be wrong in all of
// them.
std::string captionOf(const Scene& scene, const Frames& frames,
                      const std::optional<std::size_t>& own) {
  const std::string caption = wordsOf(scene).caption;
  if (caption.empty() || frames.scenes.front().caption.ends_with(caption))
    return caption;
  return own ? "With " + namedValue(frames, *own) + ": " + caption : "";
}

PageFigure sweptPage(const Scene& of, Frames frames, Index n, const SceneFigureOptions& options,
                     const Run& run) {
  PageFigure page;
  page.scene = of;
  page.moves = frames.of;
  const std::optional<std::size_t> own = ownFrame(frames, of, n);
  page.shown = own.value_or(0);
  const std::string caption = captionOf(of, frames, own);
  for (std::size_t k = 0; k < frames.scenes.size(); ++k) {
    run.report(static_cast<double>(k) / static_cast<double>(frames.scenes.size()));
    Scene& scene = frames.scenes[k];
    scene.caption = caption;
    const SceneFigureOptions whole = withAnswers(scene, options, run.quiet());
    page.frames.push_back({figureOfScene(scene, whole, run.quiet()), namedValue(frames, k),
                           readingIn(scene, whole, run.quiet())});
  }
  return page;
}

std::vector<std::string> plain(const std::vector<std::string>& texts) {
  std::vector<std::string> words(texts.size());
  std::transform(texts.begin(), texts.end(), words.begin(), plainWords);
  return words;
}

} // namespace

PageFigure pageOfScene(const Scene& scene, const SceneFigureOptions& options,
                       const std::optional<Sweep>& sweep, const Run& run) {
  if (!sweep) {
    const SceneFigureOptions whole = withAnswers(scene, options, partOf(run, 0, 0.7));
    PageFigure page = playedPage(scene, whole, partOf(run, 0.7, 1));
    page.scene = scene;
    const std::string reading = readingIn(scene, whole, run.quiet());
    for (PageFrame& frame : page.frames)
      frame.reading = reading;
    return page;
  }
  const Index n = sweptLength(scene, lengthsIn(scene, options).keys);
  return sweptPage(scene, framesOf(scene, *sweep, n), n, options, run);
}

PageLesson pageOfLesson(const Lesson& lesson, int threads, const Run& run) {
  PageLesson page{lesson.title, {}};
  SceneFigureOptions options;
  options.threads = threads;
  const InputSpec* loaded = nullptr; // that of the options
  for (const LessonStep& step : lesson.steps) {
    const Run part = stepOf(run, std::ssize(page.steps), std::ssize(lesson.steps));
    if (!loaded || *loaded != step.scene.input)
      options.input = openInput(step.scene.input, partOf(part, 0, 0.2));
    loaded = &step.scene.input;
    page.steps.push_back({plainWords(step.title), plainWords(step.words), plainWords(step.question),
                          plain(step.choices), step.correct, plainWords(step.answer),
                          pageOfScene(step.scene, options, {}, partOf(part, 0.2, 1))});
  }
  return page;
}

} // namespace attention
