#include "core/views/view_unit.h"

#include "core/export/html_page.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/views/reach/reach_figure.h"
#include "core/views/reach/scene_models.h"
#include "core/views/reach/scene_reach.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr double kLowGrowth = 0.32; // its height below a graph, of its width

ReachAnswer answerOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<ReachAnswer>();
  return ready ? *ready : reachOfScene(scene, options.input.get(), options.threads, run);
}

// The graph in a row of its own; below it the growth and the matrix of hops.
void addHops(Figure& figure, const ReachAnswer& answer, const std::optional<Camera>& camera,
             const Run& run) {
  FigurePanel& first = figure.panels.front();
  if (first.plots.size() > 1) {
    keepAsFallback(figure);
    FigurePanel growth{"", {std::move(first.plots.back())}, {}};
    std::get<CurvesMark>(growth.plots.front().mark).aspect = 1;
    first.plots.pop_back();
    first.alone = true;
    figure.panels.push_back(std::move(growth));
  }
  Plot hops = hopPlot(*answer.hops, *answer.longest, answer.lost.get(),
                      cellsOf(camera, squareLengths(answer.stack.n())), run);
  figure.legend =
      hopLegend(hops, figure.theme, {answer.stack.residual, answer.lost != nullptr, "layer"});
  hops.ownQueries = true; // the growth beside it has none
  figure.panels.push_back({kHopsTitle, {std::move(hops)}, {}});
}

// The graph of layers where it can be drawn, with the growth below, and the matrix of hops; a
// published figure with a graph goes without, as its source does.
Figure figureFrom(const ReachAnswer& answer, const Scene& scene, const SceneFigureOptions& options,
                  const Run& run) {
  const ReachOfToken token = reachOfToken(answer, scene.pins, run);
  const LayerGraph graph = graphOf(answer, token, scene.reach.shown,
                                   keptTokenLabels(scene, options.input.get(), answer.stack.n()));
  // The token and the layers that are followed are seen in the graph alone.
  const std::optional<Index> shown = graph.plot ? scene.reach.shown : std::nullopt;
  Figure figure;
  figure.theme = options.theme;
  figure.title = graph.plot ? titleOfReach(answer, token.token, shown) : titleOfGrowth(answer);
  figure = inWordsOf(scene, std::move(figure));
  FigurePanel panel;
  Plot growth = growthOf(answer, shown);
  if (graph.plot) {
    panel.plots.push_back(*graph.plot);
    std::get<CurvesMark>(growth.mark).aspect = kLowGrowth;
  }
  panel.plots.push_back(std::move(growth));
  figure.panels.push_back(std::move(panel));
  if (answer.hops && !(graph.plot && isPublished(scene)))
    addHops(figure, answer, scene.camera, run);
  if (auto cache = modelsAnswer(scene.reach, answer.stack.n(), run.quiet()).cache)
    figure.panels.push_back({"", {std::move(*cache)}, {}});
  return figure;
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return figureFrom(answerOf(scene, options, run), scene, options, run);
}

// Layers light up, where they can be drawn.
PageFigure playsIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const ReachAnswer answer = answerOf(scene, options, partOf(run, 0, 0.5));
  PageFigure page;
  if (!graphOf(answer, reachOfToken(answer, scene.pins, run.quiet()), scene.reach.shown, {}).plot)
    return page;
  Scene frame = scene;
  for (Index layer = 0; layer <= answer.layers; ++layer) {
    frame.reach.shown = layer;
    page.frames.push_back(
        {figureFrom(answer, frame, options, run.quiet()), "layers = " + std::to_string(layer)});
  }
  page.shown = static_cast<std::size_t>(
      std::clamp<Index>(scene.reach.shown.value_or(answer.layers), 0, answer.layers));
  return page;
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return growthTable(answerOf(scene, options, run).growth);
}

void writeHops(const Scene& scene, const SceneFigureOptions& options,
               const std::filesystem::path& path, const Run& run) {
  const ReachAnswer answer = answerOf(scene, options, run);
  if (!answer.hops)
    throwRange("n", std::to_string(answer.stack.n()),
               "at most " + std::to_string(kMostHopTokens) + " for the matrix of hops");
  writeHopsNpy(*answer.hops, path, run);
}

constexpr std::array kForms{
    DataForm{".npy", "The matrix of hops as int32, n × n; −1 for never", writeHops},
    DataForm{".csv", "The growth: pairs reached after every layer, one line per curve and layer",
             writeTable<tableOf>}};

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  const ReachAnswer answer = answerOf(scene, options, run);
  std::vector<std::string> said = readingOf(answer);
  for (std::string& sentence : readingOf(modelsAnswer(scene.reach, answer.stack.n(), run.quiet())))
    said.push_back(std::move(sentence));
  return said;
}

bool stacksPattern(const Scene& scene) {
  return scene.reach.stack.empty();
}

std::vector<Panel> panelsOf(const Scene& scene) {
  return scene.reach.stack;
}

std::vector<Panel>& panelsIn(Scene& scene) {
  return scene.reach.stack;
}

std::optional<std::size_t> editedOf(const Scene& scene) {
  return editedLayer(scene.reach);
}

std::string editedNameIn(const Scene& scene) {
  const auto layer = editedLayer(scene.reach);
  return layer ? "layer " + std::to_string(*layer + 1) : std::string();
}

void ignoreLooks(Scene& looked, const Scene& own) {
  looked.reach.chosen = own.reach.chosen; // which one is edited
}

std::vector<Moving> movingIn(const Scene& scene, Index n) {
  return {{"layers", 0, static_cast<double>(scene.reach.layers), true,
           [](Scene& s, double value) {
             const Index layers = whole(value);
             s.reach.shown = layers < s.reach.layers ? std::optional(layers) : std::nullopt;
           }},
          movingQuery(n)};
}

} // namespace

ViewUnit reachUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .reading = readingIn,
          .answers = giveAnswer<ReachAnswer, answerOf>,
          .copySpec = takeMember<&Scene::reach>,
          .drawsOwnPattern = stacksPattern,
          .panels = panelsOf,
          .panelsIn = panelsIn,
          .edited = editedOf,
          .editedName = editedNameIn,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn,
          .plays = playsIn};
}

} // namespace attention
