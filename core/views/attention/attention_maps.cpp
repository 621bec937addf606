// Weights as matrices.
#include "core/views/attention/attention_figure.h"

#include "core/support/number_text.h"
#include "core/views/mask/mask_figure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

Axis axisOf(const char* label, Index begin, Index end, const std::vector<std::string>& names) {
  Axis axis{label, begin, end, {}};
  if (static_cast<Index>(names.size()) >= end)
    axis.names.assign(names.begin() + begin, names.begin() + end);
  return axis;
}

// "0 “[CLS]”:", "key 0:" where it has no word.
std::string keyWords(const std::vector<std::string>& names, Index key) {
  const auto at = static_cast<std::size_t>(key);
  return at < names.size() && !names[at].empty() ? groupedDigits(key) + " “" + names[at] + "”:"
                                                 : "key " + groupedDigits(key) + ":";
}

constexpr double kWholePercents = 0.005; // smaller shares have a decimal
constexpr double kLeastNamed = 0.0005;   // and those below have no words

std::string shareText(double share) {
  const double size = std::abs(share);
  return (share < 0 ? "−" : "") + percentText(size, size < kWholePercents ? 1 : 0);
}

// The columns that receive the most, falling: three at most, of those that have three times what
// they would have if all had the same; the first in any case.
std::vector<Index> mostReceiving(const std::vector<double>& shares) {
  constexpr std::size_t kMost = 3;
  constexpr double kTimes = 3;
  constexpr double kLeast = 0.02;
  std::vector<Index> order(shares.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto size = [&](Index column) {
    return std::abs(shares[static_cast<std::size_t>(column)]);
  };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) > size(b); });
  double sum = 0;
  for (const double share : shares)
    sum += std::abs(share);
  const double least = std::max(kTimes * sum / static_cast<double>(shares.size()), kLeast);
  std::vector<Index> most;
  for (const Index column : order)
    if (most.size() < kMost && size(column) >= kLeastNamed &&
        (most.empty() || size(column) >= least))
      most.push_back(column);
  return most;
}

// What a map shows, and the ramp of it.
struct MapOf {
  const Matrix<float>& values;
  const std::vector<double>& received; // by key
  Ramp ramp = Ramp::Attention;
  float top = 1;
  float most = 1;                 // of all values
  std::vector<double> tiles = {}; // masses by tile
};

class MapMaker {
public:
  MapMaker(const AttentionAnswer& answer, const AttentionLook& look)
      : maps_(*answer.maps), tiles_(answer.tiles.get()), look_(look),
        cut_(cutTo(look.cells, maps_.lattice)) {}

  Plot plot(const MapOf& of) const {
    ValuesMark mark;
    mark.values = part(of.values, cut_.pixels);
    mark.cells = cut_.cells;
    mark.top = of.top;
    mark.ramp = of.ramp;
    mark.query = look_.pins.query;
    mark.key = look_.pins.key;
    mark.sums = sums(of.received);
    mark.bar = RampBar{of.ramp == Ramp::Changes ? "change" : "weight", of.most > of.top};
    if (tiles_) {
      mark.tiles = tiles_->layer;
      mark.tileMasses = of.tiles;
    }
    Plot plot;
    plot.mark = std::move(mark);
    plot.keys = axisOf("key j", cut_.cells.keyBegin, cut_.cells.keyEnd, look_.names);
    plot.queries = axisOf("query i", cut_.cells.rowBegin, cut_.cells.rowEnd,
                          look_.square ? look_.names : std::vector<std::string>());
    return plot;
  }

private:
  ColumnSums sums(const std::vector<double>& received) const {
    const auto begin = received.begin() + cut_.cells.keyBegin;
    ColumnSums sums{{begin, received.begin() + cut_.cells.keyEnd}, {}};
    for (const Index column : mostReceiving(sums.shares)) {
      const double share = sums.shares[static_cast<std::size_t>(column)];
      sums.labels.push_back(
          {column, keyWords(look_.names, cut_.cells.keyBegin + column) + " " + shareText(share),
           shareText(share)});
    }
    return sums;
  }

  const WeightMaps& maps_;
  const WeightTiles* tiles_; // null: none
  const AttentionLook& look_;
  Cut cut_;
};

// What each key, or tile, loses or gains.
std::vector<double> changes(const std::vector<double>& pattern, const std::vector<double>& dense) {
  std::vector<double> all = pattern;
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] -= dense[k];
  return all;
}

// Of logits, on both sides of zero.
std::vector<LegendEntry> logitSwatches(double top, FigureTheme theme) {
  std::vector<LegendEntry> legend;
  for (const double share : {1.0, kSmallShare, -kSmallShare, -1.0}) {
    const double value = roundTowardZero(share * top);
    legend.push_back(
        {rampColor(Ramp::Differences, value, top, theme), "logit " + readableNumber(value)});
  }
  return legend;
}

} // namespace

std::vector<FigurePanel> mapPanels(const AttentionSpec& spec, const AttentionAnswer& answer,
                                   const AttentionLook& look) {
  const MapMaker make(answer, look);
  const WeightMaps& maps = *answer.maps;
  const KeyMass& received = answer.head->received;
  const float top = maps.rampTop; // one ramp for both, so that they can be compared
  const WeightTiles none;
  const WeightTiles& tiles = answer.tiles ? *answer.tiles : none;
  std::vector<FigurePanel> panels;
  if (spec.maps.full) {
    panels.push_back(
        {"dense: " + wordOf(answer.head->weights->base()) + " attention",
         {make.plot({maps.dense, received.dense, Ramp::Attention, top, maps.top, tiles.dense})},
         {}});
    panels.back().briefly = {"dense"};
  }
  if (spec.maps.pattern)
    panels.push_back({"the pattern",
                      {make.plot({maps.pattern, received.pattern, Ramp::Attention, top, maps.top,
                                  tiles.pattern})},
                      {}});
  if (spec.maps.difference)
    panels.push_back(
        {"pattern − dense",
         {make.plot({maps.difference, changes(received.pattern, received.dense), Ramp::Changes,
                     maps.rampGap, maps.gap, changes(tiles.pattern, tiles.dense)})},
         {}});
  return panels;
}

std::vector<LegendEntry> attentionLegend(const AttentionSpec& spec, const AttentionAnswer& answer,
                                         FigureTheme theme) {
  if (spec.picture == AttentionPicture::Heads && spec.of == WeightsOf::Logits)
    return logitSwatches(static_cast<double>(largestLogit(*answer.sketches)), theme);
  std::vector<LegendEntry> legend; // the matrices have bars
  if (spec.picture == AttentionPicture::Maps && spec.maps.difference && answer.maps->gap == 0)
    legend.push_back({figureColors(theme).ground, "no difference"});
  if (answer.tiles)
    for (LegendEntry& entry : tileLegend(theme))
      legend.push_back(std::move(entry));
  return legend;
}

} // namespace attention
