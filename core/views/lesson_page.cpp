#include "core/views/lesson_page.h"

#include "core/input/assets.h"
#include "core/support/part_of_run.h"
#include "core/views/scene_page.h"

#include <algorithm>

namespace attention {
namespace {

std::vector<std::string> plain(const std::vector<std::string>& texts) {
  std::vector<std::string> words(texts.size());
  std::transform(texts.begin(), texts.end(), words.begin(), plainWords);
  return words;
}

} // namespace

PageLesson pageOfLesson(const Lesson& lesson, int threads, const Run& run) {
  PageLesson page{lesson.title, {}};
  SceneFigureOptions options;
  options.threads = threads;
  const InputSpec* loaded = nullptr; // that of the options
  for (const LessonStep& step : lesson.steps) {
    const Run part = stepOf(run, std::ssize(page.steps), std::ssize(lesson.steps));
    if (!loaded || *loaded != step.scene.input)
      options.input = loadInput(step.scene.input, samplePath, partOf(part, 0, 0.2));
    loaded = &step.scene.input;
    page.steps.push_back({plainWords(step.title), plainWords(step.words), plainWords(step.question),
                          plain(step.choices), step.correct, plainWords(step.answer),
                          pageOfScene(step.scene, options, {}, partOf(part, 0.2, 1))});
  }
  return page;
}

} // namespace attention
