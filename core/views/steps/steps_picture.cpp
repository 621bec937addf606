// Steps as a picture of the Attention view.
#include "core/export/html_page.h"
#include "core/input/npy_writer.h"
#include "core/views/attention/attention_pictures.h"
#include "core/views/board/board_figure.h"
#include "core/views/scene_words.h"
#include "core/views/steps/board_words.h"
#include "core/views/steps/scene_steps.h"
#include "core/views/steps/steps_board.h"
#include "core/views/steps/steps_lists.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attention {
namespace {

struct Shown {
  SceneSteps steps;
  std::vector<std::string> tokens; // labels of the keys, or empty
  bool square = true;
};

SceneSteps answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<SceneSteps>();
  return ready ? *ready
               : sceneSteps(sceneStepsQuestion(scene, lengthsIn(scene, options)),
                            headIn(scene, options), threaded(run, options));
}

Shown shownOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsIn(scene, options);
  return {answerOf(scene, options, run), keptTokenLabels(scene, options.input.get(), lengths.keys),
          lengths.square()};
}

// With that many steps; 0: all.
Figure figureAt(Index step, const Shown& shown, const Scene& scene,
                const SceneFigureOptions& options) {
  Figure figure;
  if (const auto* matrices = std::get_if<MatrixSteps>(&shown.steps))
    figure = matrixFigure(
        *matrices, {shown.tokens, shown.square, stepsQuery(scene, lengthsIn(scene, options)), step},
        options.theme);
  else
    figure = boardFigure(stepsBoard(std::get<StepsAnswer>(shown.steps), shown.tokens),
                         options.theme, step);
  figure.title = titleWithHead(figure.title, headIn(scene, options));
  return inWordsOf(scene, std::move(figure));
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const Shown shown = shownOf(scene, options, run);
  const Index step = scene.attention.steps.step;
  return readingOf(shown.steps, shown.tokens,
                   step > countSteps(shown.steps, shown.tokens) ? 0 : step);
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return figureAt(scene.attention.steps.step, shownOf(scene, options, run), scene, options);
}

// One step more in every frame, then all of them.
PageFigure playsIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Shown shown = shownOf(scene, options, run);
  const Index count = countSteps(shown.steps, shown.tokens);
  const std::string of = " of " + std::to_string(count);
  PageFigure page;
  for (Index step = 1; step <= count; ++step)
    page.frames.push_back(
        {figureAt(step, shown, scene, options), "step " + std::to_string(step) + of});
  page.frames.push_back({figureAt(0, shown, scene, options), "all steps"});
  const Index step = scene.attention.steps.step;
  page.shown = static_cast<std::size_t>(step < 1 || step > count ? count : step - 1);
  return page;
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Shown shown = shownOf(scene, options, run);
  if (const auto* matrices = std::get_if<MatrixSteps>(&shown.steps))
    return matrixTable(*matrices, shown.tokens);
  return stepsTable(std::get<StepsAnswer>(shown.steps), shown.tokens);
}

void writeOutput(const Scene& scene, const SceneFigureOptions& options,
                 const std::filesystem::path& path, const Run& run) {
  const SceneSteps steps = shownOf(scene, options, run).steps;
  if (const auto* matrices = std::get_if<MatrixSteps>(&steps))
    return writeNpy<double>(path, matrices->output);
  const std::vector<double>& output = std::get<StepsAnswer>(steps).output();
  writeNpy<double>(path, std::array{std::ssize(output)}, output);
}

// Of n keys at most: less where the pattern hides keys or the input has no values. A step beyond
// the last shows all.
Index mostSteps(const StepsSpec& steps, Index n) {
  if (showsMatrices(steps))
    return kMatrixSteps;
  switch (steps.by) {
  case StepsBy::Softmax:
    return softmax_step::kOutput;
  case StepsBy::Online: {
    const Index tiles = (n + steps.keyTile - 1) / std::max<Index>(steps.keyTile, 1);
    constexpr auto kMost = static_cast<Index>(kMostTiles);
    return (tiles > kMost ? kMost - 1 : tiles) + 1; // and the division
  }
  case StepsBy::Linear:
  case StepsBy::Features:
    break;
  }
  return kFeatureSteps;
}

// What plays first.
std::vector<Moving> movingIn(const Scene& scene, Index n) {
  const StepsSpec& steps = scene.attention.steps;
  std::vector<Moving> all{{"step", 1, static_cast<double>(mostSteps(steps, n)), true,
                           [](Scene& s, double value) { s.attention.steps.step = whole(value); }}};
  all.back().told = true;
  if (!showsMatrices(steps))
    all.push_back(movingQuery(n));
  return all;
}

} // namespace

AttentionPictureUnit stepsPicture() {
  return {.figure = figureOf,
          .table = tableOf,
          .writeNpy = writeOutput,
          .reading = readingIn,
          .answers = giveAnswer<SceneSteps, answerOf>,
          .moving = movingIn,
          .plays = playsIn};
}

} // namespace attention
