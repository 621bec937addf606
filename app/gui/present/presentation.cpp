#include "app/gui/present/presentation.h"

#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/lessons/lesson.h"
#include "core/views/scene_words.h"

#include <algorithm>

namespace attention::gui {
namespace {

// A window of this size in points has type of normal size; larger windows have larger type.
constexpr float kWidth = 900;
constexpr float kHeight = 560;
constexpr float kLeastScale = 1; // type is never smaller than a window's

// The first and the last figure of the paper whose figure is shown, and that figure.
struct FigureRow {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t at = 0;
};

std::optional<FigureRow> figureRow(const Workbench& bench) {
  const std::string title = writtenTitle(bench.document.scene());
  const auto& all = bench.figures;
  const auto shown = std::find_if(all.begin(), all.end(),
                                  [&](const ShownFigure& f) { return f.scene.title == title; });
  if (title.empty() || shown == all.end())
    return std::nullopt;
  const auto sameOther = [&](const ShownFigure& f) { return f.paper != shown->paper; };
  const auto begin = std::find_if(std::make_reverse_iterator(shown), all.rend(), sameOther).base();
  const auto end = std::find_if(shown, all.end(), sameOther);
  const auto number = [&](auto it) { return static_cast<std::size_t>(it - all.begin()); };
  return FigureRow{number(begin), number(end), number(shown)};
}

void stepFigure(Workbench& bench, int by) {
  const ShownFigure* next = nextFigure(bench, by);
  if (!next)
    return;
  bench.playing = false;
  bench.document.apply({next->title, [&](Scene& s) { s = next->scene; }});
}

// From a figure that was opened within a step, either way leads back to the step.
void stepLesson(Workbench& bench, int by) {
  if (!speakingStep(bench))
    restartStep(bench);
  else if (by > 0 && asksQuestion(bench))
    revealAnswer(bench, true);
  else
    moveInLesson(bench, by);
}

// Whether the view has steps of its own to play.
bool hasSteps(const Scene& scene) {
  const auto has = windowView(scene.view).hasSteps;
  return has && has(scene);
}

void stepView(Workbench& bench, int by) {
  if (const auto step = windowView(bench.document.scene().view).step)
    step(bench, by);
}

} // namespace

float presentScale(float width, float height) {
  return std::clamp(std::min(width / kWidth, height / kHeight), kLeastScale, 4.0F);
}

void startPresenting(Workbench& bench) {
  if (bench.present)
    return;
  bench.present = Presentation{bench.document, bench.lesson, bench.ui, bench.hover, bench.playing};
  bench.overlay = {};
}

void stopPresenting(Workbench& bench) {
  if (!bench.present)
    return;
  Presentation was = std::move(*bench.present);
  const std::optional<OpenLesson> place = std::move(bench.lesson);
  bench.present.reset();
  was.ui.presentTheme = bench.ui.presentTheme;
  bench.document = std::move(was.document);
  bench.lesson = std::move(was.lesson);
  bench.ui = std::move(was.ui);
  bench.hover = was.hover;
  bench.playing = was.playing;
  if (place)
    resumeLesson(bench, *place);
}

void presentStep(Workbench& bench, int by) {
  const auto stepInside = windowView(bench.document.scene().view).stepInside;
  if (stepInside && stepInside(bench, by))
    return;
  if (bench.lesson)
    return stepLesson(bench, by);
  if (!hasSteps(bench.document.scene()) && figureRow(bench))
    return stepFigure(bench, by);
  stepView(bench, by);
}

void presentPage(Workbench& bench, int by) {
  if (bench.lesson)
    return stepLesson(bench, by);
  if (figureRow(bench))
    return stepFigure(bench, by);
  const auto stepInside = windowView(bench.document.scene().view).stepInside;
  if (stepInside && stepInside(bench, by))
    return;
  stepView(bench, by);
}

const ShownFigure* nextFigure(const Workbench& bench, int by) {
  const auto row = figureRow(bench);
  if (!row || (by < 0 && row->at == row->begin) || (by > 0 && row->at + 1 == row->end))
    return nullptr;
  return &bench.figures[by > 0 ? row->at + 1 : row->at - 1];
}

std::optional<Place> placeOf(const Workbench& bench) {
  if (bench.lesson)
    return Place{bench.lesson->step + 1, bench.lessons[bench.lesson->lesson].steps.size()};
  if (const auto row = figureRow(bench))
    return Place{row->at - row->begin + 1, row->end - row->begin};
  return std::nullopt;
}

} // namespace attention::gui
