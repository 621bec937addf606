// Weights as matrices and as lines between tokens.
#include "core/figure/attention_figure.h"
#include "core/figure/weight_legend.h"

#include "core/support/readable_number.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attention {
namespace {

constexpr double kSmallShare = 0.05; // of the largest: what legends show of small values

// The pixels of a map that hold the cells, or all where pixels hold several cells.
struct Cut {
  Rect pixels;
  Rect cells;
};
Cut cutTo(const Rect& cells, const Lattice& lattice) {
  const Rect held{lattice.rowEdges.front(), lattice.rowEdges.back(), lattice.keyEdges.front(),
                  lattice.keyEdges.back()};
  const bool single = lattice.rows() == held.rowEnd - held.rowBegin &&
                      lattice.cols() == held.keyEnd - held.keyBegin;
  const Rect seen = intersection(cells, held);
  if (!single || seen.empty())
    return {{0, lattice.rows(), 0, lattice.cols()}, held};
  return {{seen.rowBegin - held.rowBegin, seen.rowEnd - held.rowBegin,
           seen.keyBegin - held.keyBegin, seen.keyEnd - held.keyBegin},
          seen};
}

std::shared_ptr<const Matrix<float>> part(const Matrix<float>& of, const Rect& pixels) {
  Matrix<float> values(pixels.rowEnd - pixels.rowBegin, pixels.keyEnd - pixels.keyBegin);
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      values(i, j) = of(pixels.rowBegin + i, pixels.keyBegin + j);
  return std::make_shared<const Matrix<float>>(std::move(values));
}

float largest(const Matrix<float>& of) {
  return of.values().empty() ? 0 : *std::max_element(of.values().begin(), of.values().end());
}

Axis axisOf(const char* label, Index begin, Index end, const std::vector<std::string>& names) {
  Axis axis{label, begin, end, {}};
  if (static_cast<Index>(names.size()) >= end)
    axis.names.assign(names.begin() + begin, names.begin() + end);
  return axis;
}

class MapMaker {
public:
  MapMaker(const AttentionAnswer& answer, const AttentionLook& look)
      : maps_(*answer.maps), look_(look), cut_(cutTo(look.cells, maps_.lattice)) {}

  Plot plot(const Matrix<float>& of, Ramp ramp, float top) const {
    ValuesMark mark;
    mark.values = part(of, cut_.pixels);
    mark.cells = cut_.cells;
    mark.top = top;
    mark.ramp = ramp;
    mark.query = look_.pins.query;
    mark.key = look_.pins.key;
    Plot plot;
    plot.mark = std::move(mark);
    plot.keys = axisOf("key j", cut_.cells.keyBegin, cut_.cells.keyEnd, look_.names);
    plot.queries = axisOf("query i", cut_.cells.rowBegin, cut_.cells.rowEnd,
                          look_.square ? look_.names : std::vector<std::string>());
    return plot;
  }

private:
  const WeightMaps& maps_;
  const AttentionLook& look_;
  Cut cut_;
};

// What the tokens of a stretch are called; their numbers where they have no words.
std::vector<std::string> wordsOf(const std::vector<std::string>& names, Index begin, Index end) {
  std::vector<std::string> words;
  for (Index k = begin; k < end; ++k)
    words.push_back(k < static_cast<Index>(names.size()) ? names[static_cast<std::size_t>(k)]
                                                         : std::to_string(k));
  return words;
}

std::optional<Index> placeIn(const std::optional<Index>& pin, Index begin, Index end) {
  return pin && *pin >= begin && *pin < end ? std::optional(*pin - begin) : std::nullopt;
}

// Of values on both sides of zero; `words` name one.
std::vector<LegendEntry> signedSwatches(double top, FigureTheme theme,
                                        const std::function<std::string(double)>& words) {
  std::vector<LegendEntry> legend;
  for (const double share : {1.0, kSmallShare, -kSmallShare, -1.0}) {
    const double value = roundTowardZero(share * top);
    legend.push_back({rampColor(Ramp::Differences, value, top, theme), words(value)});
  }
  return legend;
}

std::string wordOf(Base base) {
  return base == Base::Causal ? "causal attention" : "full attention";
}

} // namespace

std::vector<FigurePanel> mapPanels(const AttentionSpec& spec, const AttentionAnswer& answer,
                                   const AttentionLook& look) {
  const MapMaker make(answer, look);
  const WeightMaps& maps = *answer.maps;
  const float top = maps.top; // one ramp for both, so that they can be compared
  std::vector<FigurePanel> panels;
  if (spec.maps.full) {
    panels.push_back({"dense: " + wordOf(answer.head->weights->base()),
                      {make.plot(maps.dense, Ramp::Weights, top)},
                      {}});
    panels.back().briefly = {"dense"};
  }
  if (spec.maps.pattern)
    panels.push_back({"the pattern", {make.plot(maps.pattern, Ramp::Weights, top)}, {}});
  if (spec.maps.difference)
    panels.push_back(
        {"pattern − dense", {make.plot(maps.difference, Ramp::Differences, maps.gap)}, {}});
  return panels;
}

Plot linksPlot(const AttentionSpec& spec, const AttentionAnswer& answer,
               const AttentionLook& look) {
  const WeightMaps& maps = *answer.maps;
  const Cut cut = cutTo(look.cells, maps.lattice);
  const auto values = part(spec.of == WeightsOf::Pattern ? maps.pattern : maps.dense, cut.pixels);
  LinksMark mark;
  const std::vector<std::string> none;
  mark.queries = wordsOf(look.square ? look.names : none, cut.cells.rowBegin, cut.cells.rowEnd);
  mark.keys = wordsOf(look.names, cut.cells.keyBegin, cut.cells.keyEnd);
  mark.query = placeIn(look.pins.query, cut.cells.rowBegin, cut.cells.rowEnd);
  mark.key = placeIn(look.pins.key, cut.cells.keyBegin, cut.cells.keyEnd);
  const auto top = static_cast<double>(largest(*values));
  for (Index i = 0; i < values->rows(); ++i)
    for (Index j = 0; j < values->cols(); ++j) {
      const auto p = static_cast<double>((*values)(i, j));
      const bool chosen = mark.query == i || mark.key == j || (!mark.query && !mark.key);
      if (chosen && p > 0 && p >= spec.least)
        mark.links.push_back({i, j, p / top});
    }
  std::stable_sort(mark.links.begin(), mark.links.end(),
                   [](const Link& a, const Link& b) { return a.share < b.share; });
  return {std::move(mark), std::nullopt, std::nullopt};
}

std::vector<LegendEntry> attentionLegend(const AttentionSpec& spec, const AttentionAnswer& answer,
                                         FigureTheme theme) {
  if (spec.picture == AttentionPicture::Heads && spec.of == WeightsOf::Logits)
    return signedSwatches(static_cast<double>(largestLogit(*answer.sketches)), theme,
                          [](double logit) { return "logit " + readableNumber(logit); });
  if (spec.picture != AttentionPicture::Maps)
    return {};
  const WeightMaps& maps = *answer.maps;
  std::vector<LegendEntry> legend;
  if (spec.maps.full || spec.maps.pattern)
    legend = weightSwatches("weight", static_cast<double>(maps.top), theme);
  if (!spec.maps.difference)
    return legend;
  const auto most = static_cast<double>(maps.gap);
  if (most == 0) {
    legend.push_back({figureColors(theme).ground, "no difference"});
    return legend;
  }
  const auto differences = signedSwatches(most, theme, [](double value) {
    return (value < 0 ? "less by " : "more by ") + readableNumber(std::abs(value));
  });
  legend.insert(legend.end(), differences.begin(), differences.end());
  return legend;
}

} // namespace attention
