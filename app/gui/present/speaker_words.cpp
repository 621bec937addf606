#include "app/gui/present/speaker_view.h"

#include "app/gui/lessons/lesson.h"
#include "app/gui/present/present_words.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

std::string placeWords(const Workbench& bench) {
  const auto place = placeOf(bench);
  const std::string name = bench.lesson ? bench.lessons[bench.lesson->lesson].title : std::string();
  if (!place)
    return name;
  const std::string at = std::to_string(place->at) + " of " + std::to_string(place->of);
  return name.empty() ? at : name + " · " + at;
}

// From a figure that was opened within a step, the step comes back.
std::optional<SpeakerPicture> nextInLesson(const Workbench& bench) {
  const auto& steps = bench.lessons[bench.lesson->lesson].steps;
  const std::size_t next = bench.lesson->step + (speakingStep(bench) ? 1 : 0);
  if (next >= steps.size())
    return std::nullopt;
  return SpeakerPicture{steps[next].title, steps[next].scene};
}

std::optional<SpeakerPicture> nextOf(const Workbench& bench) {
  if (bench.lesson)
    return nextInLesson(bench);
  if (const ShownFigure* figure = nextFigure(bench, 1))
    return SpeakerPicture{figure->title, figure->scene};
  return std::nullopt;
}

// What → shows within the view, before anything else.
std::optional<Scene> aheadInView(const Workbench& bench) {
  const auto ahead = windowView(bench.document.scene().view).sceneAhead;
  return ahead ? ahead(bench) : std::nullopt;
}

std::string endText(const Workbench& bench) {
  if (bench.lesson)
    return "This is the last step of the lesson.";
  if (placeOf(bench))
    return "This is the paper's last figure.";
  return windowView(bench.document.scene().view).sceneAhead ? "This is the end."
                                                            : "→ goes on within the view.";
}

} // namespace

std::string elapsedText(double seconds) {
  const auto two = [](long long number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  constexpr long long kMinute = 60;
  constexpr long long kHour = 60 * kMinute;
  const long long all = std::max(0LL, static_cast<long long>(std::floor(seconds)));
  const std::string rest = std::to_string(all / kMinute % kMinute);
  if (all < kHour)
    return rest + ":" + two(all % kMinute);
  return std::to_string(all / kHour) + ":" + two(all / kMinute % kMinute) + ":" +
         two(all % kMinute);
}

SpeakerWords speakerWords(const Workbench& bench, std::optional<int> minuteOfDay) {
  SpeakerWords said;
  const Scene& scene = bench.document.scene();
  said.place = placeWords(bench);
  said.now = {shownTitle(scene, bench.engine.results()), scene};
  said.notes = wordsOf(scene).caption;
  if (const LessonStep* step = speakingStep(bench)) {
    said.now.title = step->title;
    said.notes = plainWords(step->notes);
    said.question = plainWords(step->question);
    said.choices = choicesOf(bench);
    said.answer = plainWords(step->answer);
    said.revealed = bench.lesson->revealed;
  }
  auto ahead = aheadInView(bench);
  said.within = ahead.has_value();
  said.next = ahead ? SpeakerPicture{said.now.title, std::move(*ahead)} : nextOf(bench);
  if (!said.next)
    said.end = endText(bench);
  said.black = bench.present->blank;
  said.elapsed = elapsedText(bench.present->elapsed);
  if (minuteOfDay)
    said.clock = clockText(*minuteOfDay);
  return said;
}

} // namespace attention::gui
