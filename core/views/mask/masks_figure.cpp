#include "core/views/mask/mask_figure.h"

#include "core/attention/attend.h"
#include "core/attention/weights.h"
#include "core/pattern/branch_layers.h"
#include "core/pattern/pattern_title.h"
#include "core/pattern/prepared.h"
#include "core/plot/figure.h"
#include "core/plot/mask_color.h"
#include "core/plot/number_axis.h"
#include "core/scene/input_data.h"
#include "core/support/number_text.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/mask/export_mask.h"
#include "core/views/mask/mask_words.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace attention {
namespace {

// Round numbers near the largest weight, a quarter and a twentieth of it, each labelled by `what`:
// "weight 0.5". `top` is the ramp's end.
std::vector<LegendEntry> weightSwatches(const std::string& what, double top, FigureTheme theme) {
  std::vector<LegendEntry> legend;
  for (const double share : {1.0, 0.25, 0.05}) {
    const double weight = roundTowardZero(share * top);
    legend.push_back(
        {rampColor(Ramp::Weights, weight, top, theme), what + " " + readableNumber(weight)});
  }
  return legend;
}

constexpr double kImageShare = 0.55; // of a panel's width: the matrix below is what is read
constexpr Index kWeightPixels = 512; // a side of a picture of weights, at most
constexpr Index kMostSquares = 64;   // of tiles, a side: more would be too small on paper

// What a pair of the difference tells: which of the two have it, and their reasons where these are
// few. `parts` are those of the difference.
std::vector<PlaceWords> differenceWords(const Prepared& of, const std::vector<ShownMask>& compared,
                                        const Rect& cells) {
  std::vector<PlaceWords> words;
  const auto add = [&words](const std::string& which) {
    std::string sentence = "Query {query}, key {key}: ";
    words.push_back({{}, sentence.append(which), {}, std::ssize(words)});
  };
  add("in neither");
  for (const Part& part : of.parts())
    add(part.label.empty() ? part.name : part.label);
  if ((cells.rowEnd - cells.rowBegin) * (cells.keyEnd - cells.keyBegin) > kMostReasons)
    return words;
  for (Index i = cells.rowBegin; i < cells.rowEnd; ++i)
    for (Index j = cells.keyBegin; j < cells.keyEnd; ++j) {
      std::string reasons;
      for (const ShownMask& mask : compared)
        reasons +=
            (reasons.empty() ? "" : "; ") + mask.letter + " " + mask.prepared->why(i, j).text;
      words.push_back({{static_cast<double>(j), static_cast<double>(i), 1, 1}, reasons});
    }
  return words;
}

class MasksFigure {
public:
  MasksFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run)
      : scene_(scene), options_(options), run_(run),
        lengths_(currentLengths(scene.length, options.input.get())),
        colors_(figureColors(options.theme)) {}

  Figure make() {
    check(scene_.mask);
    figure_.theme = options_.theme;
    figure_.title = usualTitle();
    figure_ = inWordsOf(scene_, std::move(figure_));
    const ShownMasks shown = shownMasks(scene_, lengths_, options_.input.get(), run_);
    setCells(shown.masks);
    for (std::size_t k = 0; k < shown.masks.size(); ++k)
      addPanel(shown.masks[k], letteredTitle(shown.masks[k]));
    if (showsDifference(scene_))
      tellDifference(shown.masks);
    shareLegends(figure_);
    if (const std::string part = shownCellsText(cells_, lengths_);
        showsDifference(scene_) && !part.empty())
      addToCaption(figure_, "Shown: " + part + ".");
    if (currentTiles(scene_))
      addTileWords(*shown.masks.front().prepared);
    if (currentImage(scene_))
      figure_.legend.push_back({colors_.query, "query i = " + groupedDigits(imageQuery())});
    return std::move(figure_);
  }

private:
  // For a comparison, around the first difference, as in the window, where that is found quickly.
  void setCells(const std::vector<ShownMask>& masks) {
    std::optional<Camera> camera = scene_.camera;
    const auto of = [&](Index place) { return masks[static_cast<std::size_t>(place)].prepared; };
    if (showsDifference(scene_) && !camera && countsSoon(*of(scene_.compare.first)) &&
        countsSoon(*of(scene_.compare.second))) {
      const Difference found = difference(of(scene_.compare.first), of(scene_.compare.second),
                                          options_.threads, run_.quiet());
      camera = comparedCamera(scene_, lengths_, &found);
    }
    cells_ = cellsOf(camera, lengths_);
  }

  std::string usualTitle() const {
    if (showsDifference(scene_))
      return "Patterns compared";
    const std::vector<Panel>& panels = scene_.mask.panels;
    if (panels.size() > 1)
      return "Patterns side by side";
    return titleText(panels.empty() ? scene_.pattern : panels.front().pattern);
  }

  void addPanel(const ShownMask& shown, const std::string& title) {
    const auto& pattern = shown.prepared;
    const auto drawn = showsDifference(scene_) ? pattern : layersOf(pattern, scene_.mask.hidden);
    FigurePanel made;
    made.title = title;
    if (currentImage(scene_))
      made.plots.push_back(imagePlot(*pattern));
    MaskPanelSpec spec{drawn, title, cells_, names(), scene_.pins.query, scene_.pins.key};
    spec.ownQueries = shown.queries;
    spec.ownKeys = shown.keys;
    if (currentImage(scene_))
      spec.query = imageQuery();
    if (currentTiles(scene_))
      spec.tiles =
          tileLayer(*pattern, tileGrid(cells_, lengths_, blockOf(scene_.mask.tiles), kMostSquares),
                    options_.threads, run_.quiet());
    made.plots.push_back(maskPlot(spec));
    if (drawn != pattern)
      std::get<MaskMark>(made.plots.back().mark).mask = pattern;
    if (!namedBy(*drawn, shown.title))
      made.legend = maskLegend(*drawn, options_.theme);
    if (showsWeights())
      overlayWeights(*pattern, made);
    figure_.panels.push_back(std::move(made));
  }

  void tellDifference(const std::vector<ShownMask>& masks) {
    const auto of = [&](Index place) { return masks[static_cast<std::size_t>(place)]; };
    const std::vector<ShownMask> compared{of(scene_.compare.first), of(scene_.compare.second)};
    figure_.panels.back().plots.front().told = [difference = masks.back().prepared, compared,
                                                cells = cells_] {
      return differenceWords(*difference, compared, cells);
    };
  }

  // Counted, which the picture cannot be where tiles are many.
  void addTileWords(const Prepared& first) {
    const BlockSize block = blockOf(scene_.mask.tiles);
    const TileCounts counts = countTiles(first, block, options_.threads, run_.quiet());
    addToCaption(figure_, tilesSentence(counts, block));
    if (const Index group = tileGrid(cells_, lengths_, block, kMostSquares).group; group > 1)
      addToCaption(figure_, "Each square stands for " + groupedDigits(group) + " × " +
                                groupedDigits(group) + " tiles.");
    const std::vector<LegendEntry> legend = tileLegend(options_.theme);
    figure_.legend.insert(figure_.legend.end(), legend.begin(), legend.end());
  }

  std::vector<std::string> names() const {
    return keptTokenLabels(scene_, options_.input.get(), lengths_.keys);
  }

  Index imageQuery() const {
    const Index middle = middleToken(imageShape(scene_.mask.image, lengths_.keys));
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
    return currentWeights(scene_) != WeightsShown::Off && options_.input &&
           options_.input->hasQkv() && covers(*options_.input, lengths_, scene_.length.align);
  }

  // Replaces the cells by the attention that goes through them.
  void overlayWeights(const Prepared& pattern, FigurePanel& panel) const {
    const Input& input = *options_.input;
    const InputSpec& of = scene_.input;
    const Index first = firstQueryRow(input, lengths_, scene_.length.align);
    const Matrix<float> q =
        cutOut(input.q<float>(of.head, of.batch, run_), first, lengths_.queries, input.d);
    const Matrix<float> k =
        cutOut(input.k<float>(of.head, of.batch, run_), 0, lengths_.keys, input.d);
    const MatrixView<const float> queries = q.view();
    const MatrixView<const float> keys = k.view();
    const AttendOptions how = attendOptions(input, of.head, options_.threads);
    const std::vector<float> lse = logSumExp<float>(pattern, queries, keys, how, run_);
    const WeightSource<float> source{pattern, queries, keys, lse,
                                     scoringOf(how, input.d, pattern.lengths())};
    drawWeights(source, panel);
  }

  void drawWeights(const WeightSource<float>& source, FigurePanel& panel) const {
    const Rect& cells = cells_;
    const Index rows = cells.rowEnd - cells.rowBegin;
    const Index cols = cells.keyEnd - cells.keyBegin;
    const Lattice lattice =
        latticeOver(cells, std::min(rows, kWeightPixels), std::min(cols, kWeightPixels));
    const bool sum = currentWeights(scene_) == WeightsShown::Sum;
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
    panel.legend = weightSwatches(single ? "weight" : (sum ? "sum of weights" : "largest weight"),
                                  static_cast<double>(mark.top), options_.theme);
    panel.plots.back().mark = std::move(mark);
  }

  const Scene& scene_;
  const SceneFigureOptions& options_;
  const Run& run_;
  Lengths lengths_;
  Rect cells_; // that are shown
  const FigureColors& colors_;
  Figure figure_;
};

} // namespace

Figure masksFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return MasksFigure(scene, options, run).make();
}

void writeMasks(const Scene& scene, const SceneFigureOptions& options,
                const std::filesystem::path& path, const Run& run) {
  std::vector<std::shared_ptr<const Prepared>> prepared;
  const ShownMasks shown = shownMasks(scene, lengthsIn(scene, options), options.input.get(), run);
  for (const ShownMask& mask : shown.masks)
    prepared.push_back(mask.prepared);
  exportMasks(prepared, path, run);
}

} // namespace attention
