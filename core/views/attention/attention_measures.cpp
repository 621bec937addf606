// What the pattern keeps of each query as curves, and the heads of a model side by side.
#include "core/views/attention/attention_figure.h"

#include "core/input/model_metadata.h"
#include "core/plot/point_words.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace attention {
namespace {

constexpr Index kMostPoints = 512; // of a curve: of more queries, groups of neighbours are drawn
constexpr std::size_t kPatternHue = 0;
constexpr std::size_t kErrorHue = 5; // as of |A − Â|
constexpr std::size_t kBaseHue = 2;

struct Queries {
  Index begin;
  Index end;
};

// One point per query, or a group of neighbours with its mean and spread.
Curve curveOf(const std::vector<double>& values, const Queries& shown) {
  Curve curve;
  const Index count = shown.end - shown.begin;
  const Index group = ceilDiv(count, kMostPoints);
  for (Index begin = shown.begin; begin < shown.end; begin += group) {
    const Index end = std::min(begin + group, shown.end);
    double sum = 0;
    Band band{values[static_cast<std::size_t>(begin)], values[static_cast<std::size_t>(begin)]};
    for (Index i = begin; i < end; ++i) {
      const double value = values[static_cast<std::size_t>(i)];
      sum += value;
      band = {std::min(band.low, value), std::max(band.high, value)};
    }
    curve.points.push_back(
        {static_cast<double>(begin + end - 1) / 2, sum / static_cast<double>(end - begin)});
    if (group > 1)
      curve.bands.push_back(band);
  }
  return curve;
}

Plot measurePlot(std::vector<Curve> curves, const Queries& shown, const AttentionLook& look,
                 std::optional<double> top) {
  CurvesMark mark;
  std::vector<double> seen{0};
  for (const Curve& curve : curves) {
    for (const Point& point : curve.points)
      seen.push_back(point.y);
    for (const Band& band : curve.bands)
      seen.push_back(band.high);
  }
  if (top)
    seen = {0, *top};
  const std::array ends{static_cast<double>(shown.begin), static_cast<double>(shown.end - 1)};
  mark.x = axisOver("query i", Scale::Linear, ends, false);
  mark.x.whole = true;
  mark.y = axisOver("", Scale::Linear, seen);
  mark.curves = std::move(curves);
  const auto& query = look.pins.query;
  if (query && *query >= shown.begin && *query < shown.end)
    mark.uprights.push_back({static_cast<double>(*query), ""});
  mark.aspect = 1;
  return {std::move(mark), std::nullopt, std::nullopt};
}

// What the panel's title names is what its numbers are: the axis stays without words.
std::vector<PlaceWords> wordsOf(const CurvesMark& mark, const std::string& title) {
  std::vector<PlaceWords> words;
  for (const Curve& curve : mark.curves)
    for (const Point& point : curve.points)
      words.push_back({{point.x, point.y, 0, 0}, pointWords(mark, nameOf(curve), point, title)});
  return words;
}

Curve named(Curve curve, const std::string& label, std::size_t hue, Dash dash = Dash::Solid) {
  curve.label = label;
  curve.hue = hue;
  curve.dash = dash;
  return curve;
}

// "head 3 · 0.87", the second being what the pattern keeps.
std::string noteOf(const HeadSketch& sketch, std::optional<Index> named, bool captured) {
  const std::string head = named ? "head " + std::to_string(*named) : "";
  const std::string kept = captured ? fixed(sketch.captured, 2) : "";
  return head + (head.empty() || kept.empty() ? "" : " · ") + kept;
}

HeadTile tileOf(const HeadSketch& sketch, WeightsOf of, const AttentionLook& look,
                std::optional<Index> named, float top) {
  HeadTile tile;
  const Matrix<float>& values = shownOf(sketch, of);
  tile.values = std::make_shared<const Matrix<float>>(values);
  const auto& all = values.values();
  tile.top = of == WeightsOf::Logits ? top : rampEnd(all);
  tile.note = noteOf(sketch, named, of != WeightsOf::Logits);
  tile.chosen =
      look.framesChosen && sketch.batch == look.chosen.batch && sketch.head == look.chosen.head;
  return tile;
}

// About as many columns as make a picture a third wider than high.
Index columnsFor(Index heads) {
  return std::clamp<Index>(
      static_cast<Index>(std::ceil(std::sqrt(4.0 / 3 * static_cast<double>(heads)))), 1, heads);
}

} // namespace

bool keepsAll(const AttentionHead& head) {
  constexpr double kRounding = 1e-5; // of a sum of float weights
  const HeadWeights& weights = *head.weights;
  const Prepared& pattern = *weights.pattern();
  const bool oneSoftmax = !pattern.branches() && pattern.outputs().combine == Combine::Union;
  return oneSoftmax && pattern.pairs() == weights.dense()->pairs() &&
         measureSummary(head.measures.captured).least > 1 - kRounding;
}

std::vector<FigurePanel> measurePanels(const AttentionAnswer& answer, const AttentionLook& look) {
  const QueryMeasures& of = answer.head->measures;
  const Queries shown{look.cells.rowBegin, look.cells.rowEnd};
  std::vector<FigurePanel> panels;
  const auto add = [&](const char* title, std::vector<Curve> curves, std::optional<double> top) {
    Plot plot = measurePlot(std::move(curves), shown, look, top);
    plot.told = [mark = std::get<CurvesMark>(plot.mark), title] { return wordsOf(mark, title); };
    panels.push_back({title, {std::move(plot)}, {}});
  };
  const std::string base(name(answer.head->weights->base()));
  if (keepsAll(*answer.head)) { // the other curves would be flat
    add("entropy, nats", {named(curveOf(of.denseEntropy, shown), base, kBaseHue)}, std::nullopt);
    return panels;
  }
  add("captured mass", {named(curveOf(of.captured, shown), "", kPatternHue)}, 1.0);
  if (!of.error.empty())
    add("output error", {named(curveOf(of.error, shown), "", kErrorHue)}, std::nullopt);
  add("entropy, nats",
      {named(curveOf(of.denseEntropy, shown), base, kBaseHue, Dash::Dashed),
       named(curveOf(of.patternEntropy, shown), "pattern", kPatternHue)},
      std::nullopt);
  return panels;
}

const Matrix<float>& shownOf(const HeadSketch& sketch, WeightsOf of) {
  if (of == WeightsOf::Full)
    return sketch.maps.dense;
  if (of == WeightsOf::Pattern)
    return sketch.maps.pattern;
  if (sketch.logits.rows() == 0)
    throw Error(ErrorCode::Unsupported, "of",
                "of is logits, and the input has only attention weights; open one with "
                "queries and keys, or full or pattern");
  return sketch.logits;
}

float largestLogit(const HeadSketches& sketches) {
  float most = 0;
  for (const auto& sketch : sketches.made)
    most = std::max(most, sketch->largestLogit);
  return most;
}

std::string sketchWords(const Input& input, const HeadSketch& sketch) {
  const std::string words = headWords(input, sketch.batch, sketch.head);
  return (words.empty() ? "the head" : words) + ": captured mass " +
         readableNumber(sketch.captured) + ", entropy " + readableNumber(sketch.entropy) + " nats" +
         (sketch.error ? ", output error " + readableNumber(*sketch.error) : "");
}

Plot headsPlot(const AttentionSpec& spec, const HeadSketches& sketches, const AttentionLook& look) {
  const Input& input = *look.chosen.input;
  const bool grid = sketches.batches > 1;
  // The columns of a grid are numbered, unless the heads have numbers of their own.
  const bool own = !headNumbers(input).empty();
  const bool named = own || (!grid && sketches.heads > 1);
  TilesMark mark;
  mark.columns = grid ? sketches.heads : columnsFor(sketches.heads);
  const float top = largestLogit(sketches);
  for (const auto& sketch : sketches.made) {
    const auto number = named ? std::optional(headNumber(input, sketch->head)) : std::nullopt;
    mark.tiles.push_back(tileOf(*sketch, spec.of, look, number, top));
  }
  mark.ramp = spec.of == WeightsOf::Logits ? Ramp::Differences : Ramp::Attention;
  mark.tiles.resize(static_cast<std::size_t>(sketches.batches * sketches.heads));
  for (Index b = 0; grid && b < sketches.batches; ++b) {
    const auto at = static_cast<std::size_t>(b);
    mark.rowNames.push_back(at < sketches.batchLabels.size()
                                ? sketches.batchLabels[at]
                                : sketches.batchName + " " + std::to_string(b));
  }
  if (grid && !own)
    mark.columnName = "head";
  const Lattice& lattice = sketches.made.front()->maps.lattice;
  mark.cellAspect =
      static_cast<double>(lattice.rowEdges.back()) / static_cast<double>(lattice.keyEdges.back());
  Plot plot{std::move(mark), std::nullopt, std::nullopt};
  plot.told = [input = look.chosen.input, sketches] {
    std::vector<PlaceWords> words;
    for (const auto& of : sketches.made)
      words.push_back({{}, sketchWords(*input, *of), {}, of->batch * sketches.heads + of->head});
    return words;
  };
  return plot;
}

} // namespace attention
