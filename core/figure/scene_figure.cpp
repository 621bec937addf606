#include "core/figure/scene_figure.h"

#include "core/attention/attend.h"
#include "core/attention/weights.h"
#include "core/figure/attention_figure.h"
#include "core/figure/draw_named_points.h"
#include "core/figure/hashing_figure.h"
#include "core/figure/kernels_figure.h"
#include "core/figure/mask_color.h"
#include "core/figure/mask_figure.h"
#include "core/figure/mask_raster.h"
#include "core/figure/memory_plot.h"
#include "core/figure/scene_compare.h"
#include "core/figure/scene_encodings.h"
#include "core/figure/scene_reach.h"
#include "core/figure/scene_timings.h"
#include "core/pattern/pattern_title.h"
#include "core/scene/scene_words.h"
#include "core/scene/shown_masks.h"
#include "core/scene/shown_patterns.h"
#include "core/scene/token_labels.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

namespace attention {
namespace {

constexpr double kImageShare = 0.55; // of a panel's width: the matrix below is what is read
constexpr Index kWeightPixels = 512; // a side of a picture of weights, at most

// Three significant digits, in the C locale.
std::string shortNumber(double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 3);
  return {digits, end.ptr};
}

// What the Scene says about itself comes before what is known of the picture in general.
Figure inWordsOf(const Scene& scene, Figure figure) {
  const SceneWords said = wordsOf(scene);
  if (!said.title.empty())
    figure.title = said.title;
  if (!said.caption.empty())
    figure.caption = said.caption;
  if (!said.source.empty())
    figure.source = "Source: " + said.source;
  return figure;
}

class SceneFigure {
public:
  SceneFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run)
      : scene_(scene), options_(options), run_(run),
        lengths_(lengthsOf(scene.length, options.input ? options.input->keys : 0)),
        colors_(figureColors(options.theme)) {}

  Figure make() {
    figure_.theme = options_.theme;
    figure_.title = usualTitle();
    figure_ = inWordsOf(scene_, std::move(figure_));
    const ShownMasks shown = shownMasks(scene_, lengths_, options_.input.get(), run_);
    for (std::size_t k = 0; k < shown.masks.size(); ++k)
      addPanel(shown.masks[k], letteredTitle(shown.masks[k]));
    shareLegends(figure_);
    if (imageInForce(scene_))
      figure_.legend.push_back({colors_.query, "query i = " + groupedDigits(imageQuery())});
    return std::move(figure_);
  }

private:
  std::string usualTitle() const {
    return scene_.view == View::Compare ? "Patterns compared" : titleText(scene_.pattern);
  }

  void addPanel(const ShownMask& shown, const std::string& title) {
    const auto& pattern = shown.prepared;
    FigurePanel made;
    made.title = title;
    if (imageInForce(scene_))
      made.plots.push_back(imagePlot(*pattern));
    MaskPanelSpec spec{pattern,           title,          cellsOf(scene_.camera, lengths_), names(),
                       scene_.pins.query, scene_.pins.key};
    spec.ownQueries = shown.queries;
    spec.ownKeys = shown.keys;
    if (imageInForce(scene_))
      spec.query = imageQuery();
    made.plots.push_back(maskPlot(spec));
    if (!namedBy(*pattern, shown.title))
      made.legend = maskLegend(*pattern, options_.theme);
    if (showsWeights())
      overlayWeights(*pattern, made);
    figure_.panels.push_back(std::move(made));
  }

  std::vector<std::string> names() const {
    return tokenLabels(scene_, options_.input.get(), lengths_.keys);
  }

  // The pinned query, else the pixel in the middle of the image.
  Index imageQuery() const {
    const auto [rows, columns] = imageShape(scene_.mask.image, lengths_.keys);
    const Index middle = rows / 2 * columns + columns / 2;
    return std::clamp<Index>(scene_.pins.query.value_or(middle), 0, lengths_.queries - 1);
  }

  Plot imagePlot(const Prepared& pattern) const {
    ImageMark mark;
    std::tie(mark.rows, mark.columns) = imageShape(scene_.mask.image, lengths_.keys);
    mark.query = imageQuery();
    mark.hueOfPixel.assign(static_cast<std::size_t>(lengths_.keys), -1);
    KeyRanges ranges;
    const bool oneHue = pattern.parts().size() > kMostPartsShown;
    for (std::size_t part = oneHue ? 1 : pattern.parts().size(); part-- > 0;) {
      if (oneHue)
        pattern.row(mark.query, ranges);
      else
        pattern.row(part, mark.query, ranges);
      const int hue = oneHue ? 0 : static_cast<int>(hueIndex(pattern.parts(), part));
      for (const KeyRange& range : ranges)
        forEachRun(range, [&](Index begin, Index end) {
          std::fill(mark.hueOfPixel.begin() + begin, mark.hueOfPixel.begin() + end, hue);
        });
    }
    return {std::move(mark), std::nullopt, std::nullopt, kImageShare};
  }

  bool showsWeights() const {
    return weightsInForce(scene_) != WeightsShown::Off && options_.input &&
           options_.input->hasQkv() && options_.input->keys >= lengths_.keys &&
           options_.input->queries >= lengths_.queries;
  }

  // Replaces the cells by the attention that goes through them.
  void overlayWeights(const Prepared& pattern, FigurePanel& panel) const {
    const Input& input = *options_.input;
    const Matrix<float> q = input.q<float>(scene_.input.head, std::nullopt, run_);
    const Matrix<float> k = input.k<float>(scene_.input.head, std::nullopt, run_);
    MatrixView<const float> queries = q.view();
    MatrixView<const float> keys = k.view();
    queries.rows = lengths_.queries;
    keys.rows = lengths_.keys;
    AttendOptions how;
    how.scale = input.scale;
    how.threads = options_.threads;
    const std::vector<float> lse = logSumExp<float>(pattern, queries, keys, how, run_);
    const WeightSource<float> source{pattern, queries, keys, lse, scaleOf(how, input.d)};
    drawWeights(source, panel);
  }

  void drawWeights(const WeightSource<float>& source, FigurePanel& panel) const {
    const Rect cells = cellsOf(scene_.camera, lengths_);
    const Index rows = cells.rowEnd - cells.rowBegin;
    const Index cols = cells.keyEnd - cells.keyBegin;
    const Lattice lattice =
        latticeOver(cells, std::min(rows, kWeightPixels), std::min(cols, kWeightPixels));
    const bool sum = weightsInForce(scene_) == WeightsShown::Sum;
    ValuesMark mark;
    mark.cells = cells;
    mark.values = std::make_shared<const Matrix<float>>(
        weightsPicture(source, lattice.rowEdges, lattice.keyEdges,
                       sum ? Reduction::Sum : Reduction::Maximum, options_.threads, run_));
    const auto& values = mark.values->values();
    mark.top = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    const auto& mask = std::get<MaskMark>(panel.plots.back().mark);
    mark.query = mask.query;
    mark.key = mask.key;
    const bool single = lattice.rows() == rows && lattice.cols() == cols;
    panel.legend = weightLegend(single ? "weight" : (sum ? "sum of weights" : "largest weight"),
                                static_cast<double>(mark.top));
    panel.plots.back().mark = std::move(mark);
  }

  // The ramp at its end and twice on the way.
  std::vector<LegendEntry> weightLegend(const std::string& what, double top) const {
    std::vector<LegendEntry> entries;
    for (const double share : {1.0, 0.25, 0.05})
      entries.push_back(
          {weightColor(share, options_.theme), what + " " + shortNumber(share * top)});
    return entries;
  }

  const Scene& scene_;
  const SceneFigureOptions& options_;
  const Run& run_;
  Lengths lengths_;
  const FigureColors& colors_;
  Figure figure_;
};

constexpr double kGrowthBelow = 0.32; // height of the growth below a graph, of its width
constexpr double kHopsShare = 0.6;    // of that width, for the matrix of hops below both

// Below a graph of layers in the same panel, else in one of its own.
void addHops(Figure& figure, const ReachAnswer& answer, const std::optional<Camera>& camera,
             const Run& run) {
  const Lengths square = squareLengths(answer.stack.n());
  Plot hops = hopPlot(*answer.hops, *answer.longest, cellsOf(camera, square), run);
  std::vector<LegendEntry> legend = hopLegend(hops, figure.theme, answer.stack.residual);
  FigurePanel& first = figure.panels.front();
  if (first.plots.size() == 1) {
    figure.panels.push_back({"layers until j reaches i", {std::move(hops)}, std::move(legend)});
    return;
  }
  hops.share = kHopsShare;
  hops.keys->label = "key j, by the layers until it reaches query i";
  first.plots.push_back(std::move(hops));
  first.legend = std::move(legend);
}

// The graph of layers where it can be drawn, with the growth below, and the matrix of hops; a
// published figure with a graph goes without, as its source does.
Figure reachFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Input* input = options.input.get();
  const ReachAnswer answer =
      options.reach ? *options.reach : reachOfScene(scene, input, options.threads, run);
  const ReachOfToken token = reachOfToken(answer, scene.pins, run);
  Figure figure;
  figure.theme = options.theme;
  figure.title = titleOfReach(answer, token.token, scene.reach.shown);
  figure = inWordsOf(scene, std::move(figure));
  const LayerGraph graph =
      graphOf(answer, token, scene.reach.shown, tokenLabels(scene, input, answer.stack.n()));
  FigurePanel panel;
  Plot growth = growthOf(answer, graph.plot ? scene.reach.shown : std::nullopt);
  if (graph.plot) {
    panel.plots.push_back(*graph.plot);
    std::get<CurvesMark>(growth.mark).aspect = kGrowthBelow;
  }
  panel.plots.push_back(std::move(growth));
  figure.panels.push_back(std::move(panel));
  const bool published = !wordsOf(scene).source.empty();
  if (answer.hops && !(graph.plot && published))
    addHops(figure, answer, scene.camera, run);
  return figure;
}

bool isPublished(const Scene& scene) {
  return !wordsOf(scene).source.empty();
}

// The matrices before and after, and what is kept of attention, as the view has them there.
void addBelowSorting(Figure& figure, const Scene& scene, const HashingAnswer& sorted,
                     const std::function<HashingAnswer(const Scene&)>& answerOf) {
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
    std::get<CurvesMark>(captured.plots.front().mark).aspect = 1; // as high as the matrices
    figure.panels.push_back(std::move(captured));
  } catch (const Error& error) {
    figure.caption += std::string(" Without what is kept: ") + error.what() + ".";
  }
}

Figure hashingSceneFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsOf(scene.length, options.input ? options.input->keys : 0);
  Run here = run;
  here.threads = options.threads;
  const HashingInput input{options.input, scene.input.batch, scene.input.head};
  const HashingAnswer answer = hashingAnswer(scene, lengths, input, here);
  Figure figure = hashingFigure(scene.hashing, answer, options.theme);
  if (scene.hashing.picture == HashingPicture::Sorting && !isPublished(scene))
    addBelowSorting(figure, scene, answer, [&](const Scene& captured) {
      return hashingAnswer(captured, lengths, input, here.quiet());
    });
  return inWordsOf(scene, std::move(figure));
}

// The matrices and normalisers of one estimate, as the view has them below the errors.
void addEstimate(Figure& figure, KernelsSpec spec, const KernelsAnswer& estimate) {
  constexpr double kErrorsAspect = 0.32;
  figure.panels.front().alone = true;
  std::get<CurvesMark>(figure.panels.front().plots.front().mark).aspect = kErrorsAspect;
  spec.picture = KernelsPicture::Matrices;
  for (FigurePanel& panel : kernelsPanels(spec, estimate))
    figure.panels.push_back(std::move(panel));
  for (LegendEntry& entry : kernelsLegend(spec, estimate, figure.theme))
    figure.legend.push_back(std::move(entry));
  const std::string title = kernelsTitle(spec, estimate); // "Attention and its estimate: positive"
  const std::size_t of = std::min(title.find(": "), title.size());
  figure.caption +=
      " Below, one estimate" + title.substr(of) + ". " + kernelsCaption(spec, estimate);
}

Figure kernelsSceneFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsOf(scene.length, options.input ? options.input->keys : 0);
  Run here = run;
  here.threads = options.threads;
  const KernelsInput input{options.input, scene.input.batch, scene.input.head};
  const KernelsAnswer answer =
      options.kernels ? *options.kernels : kernelsAnswer(scene, lengths, input, here);
  Figure figure = kernelsFigure(scene.kernels, answer, options.theme);
  if (scene.kernels.picture == KernelsPicture::Error && !isPublished(scene)) {
    Scene estimated = scene;
    estimated.kernels.picture = KernelsPicture::Matrices;
    addEstimate(figure, scene.kernels,
                answer.matrices ? answer : kernelsAnswer(estimated, lengths, input, here.quiet()));
  }
  return inWordsOf(scene, std::move(figure));
}

Figure attentionSceneFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const Lengths lengths = lengthsOf(scene.length, options.input ? options.input->keys : 0);
  Run here = run;
  here.threads = options.threads;
  const ModelHead head{options.input, scene.input.batch, scene.input.head};
  const AttentionAnswer answer = attentionAnswer(scene, lengths, head, here);
  return inWordsOf(scene, attentionFigure(scene.attention, answer,
                                          attentionLook(scene, lengths, head), options.theme));
}

// The names of both plots' points, and of the line through the best of them.
void addNames(Figure& figure, const Plot& plot) {
  const auto& mark = std::get<CurvesMark>(plot.mark);
  const auto& series = figureColors(figure.theme).series;
  for (std::size_t k = 0; k < mark.named.size(); ++k) {
    const std::size_t hue = mark.named[k].hue.value_or(0);
    figure.legend.push_back(
        {series[hue % series.size()], std::to_string(k + 1) + " " + mark.named[k].label});
  }
  for (const Curve& curve : mark.curves)
    figure.legend.push_back({series[curve.hue % series.size()], curve.label + ": dashed"});
}

// The masks, and where there is an input the score board as plots, or why there is none.
Figure compareFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Figure figure = SceneFigure(scene, options, partOf(run, 0, 0.5)).make();
  if (!options.input)
    return figure;
  Run scoring = partOf(run, 0.5, 1);
  scoring.threads = options.threads;
  try {
    const Lengths lengths = lengthsOf(scene.length, options.input->keys);
    const auto lines = scoresOf(scoresQuestion(scene, lengths),
                                {options.input, scene.input.batch, scene.input.head}, {}, scoring);
    const std::string base = baseText(lines);
    const Plot mass = massPlot(lines);
    figure.panels.push_back(
        {"captured mass of " + base + " against cost", {withoutNames(mass)}, {}});
    figure.panels.push_back(
        {"output error from " + base + " against cost", {withoutNames(errorPlot(lines))}, {}});
    addNames(figure, mass);
  } catch (const Error& error) {
    figure.caption += (figure.caption.empty() ? "" : " ") + std::string("Without a score board: ") +
                      error.what() + ".";
  }
  return figure;
}

Figure timingsFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  const std::vector<ScoredMethod> methods = methodsOf(question, run);
  TimingFigureOptions how = figureOptionsOf(question, methods);
  how.theme = options.theme;
  Figure figure = timingFigure(
      options.timings ? *options.timings : timingsForFile(question, methods, run), how);
  figure.panels.push_back({"", {memoryPlot(question, methods, how, run)}, {}});
  figure.caption += " Memory: inputs, output, and scores or features were they all stored; a "
                    "model, not measured.";
  return inWordsOf(scene, std::move(figure));
}

} // namespace

Rect cellsOf(const std::optional<Camera>& camera, const Lengths& lengths) {
  const Rect all{0, lengths.queries, 0, lengths.keys};
  if (!camera)
    return all;
  const double half = camera->cells / 2;
  // Beyond the largest mask on either side is as good as anywhere: it fits an Index.
  const auto index = [](double edge) {
    constexpr auto kFar = static_cast<double>(2 * kMaxLength);
    return static_cast<Index>(std::clamp(edge, -kFar, kFar));
  };
  const auto low = [&](double centre) { return index(std::floor(centre - half)); };
  const auto high = [&](double centre) { return index(std::ceil(centre + half)); };
  const Rect seen{low(camera->query), high(camera->query), low(camera->key), high(camera->key)};
  const Rect cut = intersection(seen, all);
  return cut.empty() ? all : cut;
}

Figure figureOfScene(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  switch (scene.view) {
  case View::Reach:
    return reachFigure(scene, options, run);
  case View::Attention:
    return attentionSceneFigure(scene, options, run);
  case View::Kernels:
    return kernelsSceneFigure(scene, options, run);
  case View::Hashing:
    return hashingSceneFigure(scene, options, run);
  case View::Timings:
    return timingsFigure(scene, options, run);
  case View::Encodings:
    return inWordsOf(scene, encodingsFigure(encodingsAnswer(scene.encodings, run), options.theme));
  case View::Compare:
    return compareFigure(scene, options, run);
  case View::Mask:
    break;
  }
  return SceneFigure(scene, options, run).make();
}

} // namespace attention
