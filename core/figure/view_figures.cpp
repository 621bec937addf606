#include "core/figure/view_figures.h"

#include "core/analysis/timing/timing_text.h"
#include "core/figure/attention_figure.h"
#include "core/figure/draw_named_points.h"
#include "core/figure/figure_words.h"
#include "core/figure/hashing_figure.h"
#include "core/figure/kernels_figure.h"
#include "core/figure/masks_figure.h"
#include "core/figure/memory_plot.h"
#include "core/figure/scene_compare.h"
#include "core/figure/scene_encodings.h"
#include "core/figure/scene_reach.h"
#include "core/figure/scene_timings.h"
#include "core/scene/input_data.h"
#include "core/scene/scene_words.h"
#include "core/scene/token_labels.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <cmath>
#include <functional>

namespace attention {
namespace {

constexpr double kLowCurves = 0.32; // height of curves that share a panel or have a row, of width

Lengths lengthsIn(const Scene& scene, const SceneFigureOptions& options) {
  return currentLengths(scene.length, options.input.get());
}

Run threaded(const Run& run, const SceneFigureOptions& options) {
  Run here = run;
  here.threads = options.threads;
  return here;
}

// The figure as it is now is what a small file shows of it.
void keepAsFallback(Figure& figure) {
  figure.fallback = std::make_shared<const Figure>(figure);
}

CurvesMark& curvesOf(FigurePanel& panel) {
  return std::get<CurvesMark>(panel.plots.front().mark);
}

// The graph in a row of its own; below it the growth and the matrix of hops.
void addHops(Figure& figure, const ReachAnswer& answer, const std::optional<Camera>& camera,
             const Run& run) {
  FigurePanel& first = figure.panels.front();
  if (first.plots.size() > 1) {
    keepAsFallback(figure);
    FigurePanel growth{"", {std::move(first.plots.back())}, {}};
    curvesOf(growth).aspect = 1;
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

// The matrices before and after, and what is kept of attention, as the view has them there.
void addBelowSorting(Figure& figure, const Scene& scene, const HashingAnswer& sorted,
                     const std::function<HashingAnswer(const Scene&)>& answerOf) {
  keepAsFallback(figure);
  figure.panels.front().alone = true;
  Scene other = scene;
  other.hashing.picture = HashingPicture::Matrices;
  std::vector<FigurePanel> matrices = hashingPanels(other.hashing, sorted);
  matrices.resize(std::min<std::size_t>(matrices.size(), 2)); // without centroids
  for (FigurePanel& panel : matrices)
    figure.panels.push_back(std::move(panel));
  other.hashing.picture = HashingPicture::Captured;
  try {
    FigurePanel captured = hashingPanels(other.hashing, answerOf(other)).front();
    captured.title = "what is kept of attention";
    curvesOf(captured).aspect = 1; // as high as the matrices
    figure.panels.push_back(std::move(captured));
  } catch (const Error& error) {
    addToCaption(figure,
                 std::string("The plot of captured mass is not shown: ") + error.what() + ".");
  }
}

// The matrices and normalisers of one estimate, as the view has them below the errors.
void addEstimate(Figure& figure, KernelsSpec spec, const KernelsAnswer& estimate) {
  keepAsFallback(figure);
  figure.panels.front().alone = true;
  curvesOf(figure.panels.front()).aspect = kLowCurves;
  spec.picture = KernelsPicture::Matrices;
  for (FigurePanel& panel : kernelsPanels(spec, estimate))
    figure.panels.push_back(std::move(panel));
  for (LegendEntry& entry : kernelsLegend(spec, estimate, figure.theme))
    figure.legend.push_back(std::move(entry));
  addToCaption(figure, "Below, one estimate: " + estimateText(*estimate.matrices) + ". " +
                           kernelsCaption(spec, estimate));
}

// The names of both plots' points, and what is to be known of them.
void addNames(Figure& figure, const Plot& plot) {
  const auto& mark = std::get<CurvesMark>(plot.mark);
  const FigureColors& colors = figureColors(figure.theme);
  std::string withoutMass;
  for (std::size_t k = 0; k < mark.named.size(); ++k) {
    const NamedPoint& point = mark.named[k];
    const Color& color = point.hue ? colors.series[*point.hue % colors.series.size()] : colors.text;
    const std::string number = std::to_string(k + 1);
    figure.legend.push_back({color, number + " " + point.label});
    if (!std::isfinite(point.at.y))
      withoutMass += (withoutMass.empty() ? "" : ", ") + number;
  }
  addToCaption(figure, "Dashed: the Pareto fronts, the mechanisms that no other beats in both.");
  if (!withoutMass.empty())
    addToCaption(figure, "No captured mass, since they leave no key out: " + withoutMass + ".");
}

} // namespace

// The graph of layers where it can be drawn, with the growth below, and the matrix of hops; a
// published figure with a graph goes without, as its source does.
Figure reachViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Input* input = options.input.get();
  const ReachAnswer answer =
      options.reach ? *options.reach : reachOfScene(scene, input, options.threads, run);
  const ReachOfToken token = reachOfToken(answer, scene.pins, run);
  const LayerGraph graph =
      graphOf(answer, token, scene.reach.shown, keptTokenLabels(scene, input, answer.stack.n()));
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
    std::get<CurvesMark>(growth.mark).aspect = kLowCurves;
  }
  panel.plots.push_back(std::move(growth));
  figure.panels.push_back(std::move(panel));
  if (answer.hops && !(graph.plot && isPublished(scene)))
    addHops(figure, answer, scene.camera, run);
  return figure;
}

Figure attentionViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsIn(scene, options);
  const ModelHead head{options.input, scene.input.batch, scene.input.head};
  const AttentionAnswer answer = attentionAnswer(scene, lengths, head, threaded(run, options));
  AttentionLook look = attentionLook(scene, lengths, head);
  look.framesChosen = false; // in a file nobody chooses another
  return inWordsOf(scene, attentionFigure(scene.attention, answer, look, options.theme));
}

Figure kernelsViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsIn(scene, options);
  const Run here = threaded(run, options);
  const KernelsInput input{options.input, scene.input.batch, scene.input.head};
  const KernelsAnswer answer =
      options.kernels ? *options.kernels : kernelsAnswer(scene, lengths, input, here);
  Figure figure = inWordsOf(scene, kernelsFigure(scene.kernels, answer, options.theme));
  if (scene.kernels.picture == KernelsPicture::Error && !isPublished(scene)) {
    Scene estimated = scene;
    estimated.kernels.picture = KernelsPicture::Matrices;
    addEstimate(figure, scene.kernels,
                answer.matrices ? answer : kernelsAnswer(estimated, lengths, input, here.quiet()));
  }
  return figure;
}

Figure hashingViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsIn(scene, options);
  const Run here = threaded(run, options);
  const HashingInput input{options.input, scene.input.batch, scene.input.head};
  const HashingAnswer answer = hashingAnswer(scene, lengths, input, here);
  Figure figure = inWordsOf(scene, hashingFigure(scene.hashing, answer, options.theme));
  if (scene.hashing.picture == HashingPicture::Sorting && !isPublished(scene))
    addBelowSorting(figure, scene, answer, [&](const Scene& captured) {
      return hashingAnswer(captured, lengths, input, here.quiet());
    });
  return figure;
}

Figure timingsViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  const std::vector<ScoredMethod> methods = methodsOf(question, run);
  TimingFigureOptions how = figureOptionsOf(question, methods);
  how.theme = options.theme;
  const Timings timings =
      options.timings ? *options.timings : timingsForFile(question, methods, run);
  Figure figure = timingFigure(timings, how);
  figure.panels.push_back({"", {memoryPlot(question, methods, how, run)}, {}});
  addToCaption(figure, "Memory is modelled, not measured: inputs, output, and scores or features "
                       "as if all were stored.");
  figure = inWordsOf(scene, std::move(figure));
  const std::string doubts = doubtsText(timings, how.names);
  // Words of the Scene's own know nothing of this measurement.
  if (!wordsOf(scene).caption.empty() && !doubts.empty())
    addToCaption(figure, doubts);
  return figure;
}

Figure encodingsViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return inWordsOf(scene, encodingsFigure(encodingsAnswer(scene.encodings, run), options.theme));
}

// The masks, and where there is an input the score board as plots, or why there is none.
Figure compareViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Figure figure = masksFigure(scene, options, partOf(run, 0, 0.5));
  if (!options.input)
    return figure;
  const Lengths lengths = lengthsIn(scene, options);
  try {
    const auto lines = scoresOf(scoresQuestion(scene, lengths),
                                {options.input, scene.input.batch, scene.input.head}, {},
                                threaded(partOf(run, 0.5, 1), options));
    const std::string base = baseText(lines);
    const Plot mass = massPlot(lines);
    keepAsFallback(figure);
    figure.panels.push_back(
        {"captured mass of " + base + " against cost", {withoutNames(mass)}, {}});
    figure.panels.push_back(
        {"output error from " + base + " against cost", {withoutNames(errorPlot(lines))}, {}});
    addNames(figure, mass);
  } catch (const Error& error) {
    addToCaption(figure, std::string("No score board: ") + error.what() + ".");
  }
  return figure;
}

} // namespace attention
