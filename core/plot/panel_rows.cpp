#include "core/plot/panel_rows.h"

#include "core/plot/ticks.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace attention {
namespace {

// Right margins up to this are as good as equal: the plots of such rows end below each other.
constexpr double kSmallMargin = 2.5; // of type

bool isOfCurves(const Plot& plot) {
  return std::holds_alternative<CurvesMark>(plot.mark);
}

bool isMatrix(const FigurePanel& panel) {
  return !panel.plots.empty() && panel.plots.front().queries.has_value();
}

// The largest of a number over the plots `k` of panels.
template <class Number>
double most(std::span<const PanelSpace> panels, std::size_t k, Number number) {
  double largest = 0;
  for (const PanelSpace& panel : panels)
    if (k < panel.plots.size())
      largest = std::max(largest, number(panel.plots[k]));
  return largest;
}

std::size_t mostPlots(std::span<const PanelSpace> panels) {
  std::size_t plots = 0;
  for (const PanelSpace& panel : panels)
    plots = std::max(plots, panel.plots.size());
  return plots;
}

double sumOf(const std::vector<double>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), 0.0);
}

} // namespace

PanelSpace spaceOf(const FigurePanel& panel, double type, bool names, const TextMeasure& measure) {
  PanelSpace space;
  for (const Plot& plot : panel.plots) {
    const PlotMargins margins = marginsOf(plot, type, names, measure);
    space.left = std::max(space.left, margins.left);
    if (!sharesQueries(plot))
      space.ownLeft = std::max(space.ownLeft, margins.left);
    space.right = std::max(space.right, margins.right);
    space.curves = space.curves && isOfCurves(plot);
    space.plots.push_back({margins, plot.share, plot.share * aspect(plot)});
  }
  space.alone = panel.alone;
  space.legendLines = panel.legend.size();
  space.titleLines = panel.title.empty() ? 0 : 1;
  return space;
}

double highestPlot(std::span<const PanelSpace> panels) {
  double highest = 0;
  for (const PanelSpace& panel : panels)
    for (const PanelSpace::OfPlot& plot : panel.plots)
      highest = std::max(highest, plot.height);
  return highest;
}

std::size_t freeColumns(std::span<const FigurePanel> panels) {
  const std::size_t all = panels.size();
  const auto alone = static_cast<std::size_t>(std::count_if(
      panels.begin(), panels.end(), [](const FigurePanel& panel) { return panel.alone; }));
  if (alone > 0)
    return std::max<std::size_t>(all - alone, 1);
  const auto matrices = static_cast<std::size_t>(
      std::find_if_not(panels.begin(), panels.end(), isMatrix) - panels.begin());
  if (matrices < all && all <= 2 * matrices)
    return matrices;
  if (all <= 5)
    return std::max<std::size_t>(all, 1);
  const auto gaps = [&](std::size_t columns) { return (columns - all % columns) % columns; };
  std::size_t best = 5;
  for (const std::size_t columns : std::array<std::size_t, 3>{4, 3, 6})
    if (gaps(columns) < gaps(best))
      best = columns;
  return best;
}

PanelRows::PanelRows(std::vector<PanelSpace> panels, std::size_t columns, double type,
                     double spread)
    : panels_(std::move(panels)), columns_(columns), type_(type), spread_(spread) {
  breakRows();
  alignColumns();
  alignRights();
  setWidths();
}

std::span<const PanelSpace> PanelRows::panelsOf(const PanelRow& row) const {
  return std::span(panels_).subspan(row.first, row.count);
}

void PanelRows::breakRows() {
  for (std::size_t first = 0; first < panels_.size(); first += rows_.back().count) {
    PanelRow row;
    row.first = first;
    while (row.count < columns_ && first + row.count < panels_.size() &&
           (row.count == 0 || !panels_[first + row.count].alone)) {
      ++row.count;
      if (panels_[first].alone)
        break;
    }
    rows_.push_back(std::move(row));
  }
}

bool PanelRows::sharesWidth(const PanelRow& row) const {
  const std::span<const PanelSpace> panels = panelsOf(row);
  if (panels.front().alone)
    return true;
  const bool last = row.first + row.count == panels_.size();
  return last && row.count < columns_ && panels_.size() >= columns_ &&
         std::all_of(panels.begin(), panels.end(), [](const PanelSpace& of) { return of.curves; });
}

// The last number over a shared axis reaches beyond its plot, as the first of the next one may.
double PanelRows::between(const PanelSpace& panel, const PanelSpace& next) const {
  if (next.ownLeft > 0)
    return panel.right + gap() + next.ownLeft;
  return std::max(gap(), panel.right + next.right + type_ / 2);
}

void PanelRows::alignColumns() {
  columnGaps_.assign(columns_ - 1, 0);
  for (PanelRow& row : rows_) {
    const std::span<const PanelSpace> panels = panelsOf(row);
    left_ = std::max(left_, panels.front().left);
    for (std::size_t k = 0; k + 1 < panels.size(); ++k)
      row.gaps.push_back(between(panels[k], panels[k + 1]) + spread_);
    if (!sharesWidth(row))
      for (std::size_t k = 0; k < row.gaps.size(); ++k)
        columnGaps_[k] = std::max(columnGaps_[k], row.gaps[k]);
  }
  for (PanelRow& row : rows_)
    if (!sharesWidth(row))
      std::copy_n(columnGaps_.begin(), row.gaps.size(), row.gaps.begin());
}

void PanelRows::alignRights() {
  double small = 0;
  for (PanelRow& row : rows_) {
    row.right = panelsOf(row).back().right;
    if (row.right <= kSmallMargin * type_)
      small = std::max(small, row.right);
  }
  for (PanelRow& row : rows_) {
    row.right = std::max(row.right, small) + spread_;
    // Words of a row that is not full may stand where its other columns would be.
    if (!sharesWidth(row))
      right_ = std::max(right_, row.right - sumOf(columnGaps_) + sumOf(row.gaps));
  }
}

Growing PanelRows::width() const {
  const double gaps = sumOf(columnGaps_);
  return {left_ + gaps + right_, static_cast<double>(columns_)};
}

void PanelRows::setWidths() {
  const Growing whole = width();
  for (PanelRow& row : rows_) {
    row.width = {0, 1};
    if (sharesWidth(row)) {
      const auto count = static_cast<double>(row.count);
      row.width = {(whole.fixed - left_ - row.right - sumOf(row.gaps)) / count,
                   whole.share / count};
    }
    row.height = heightOf(row);
  }
}

std::size_t PanelRows::titleLines(const PanelRow& row) const {
  std::size_t lines = 0;
  for (const PanelSpace& panel : panelsOf(row))
    lines = std::max(lines, panel.titleLines);
  return lines;
}

double PanelRows::titleHeight(const PanelRow& row) const {
  const std::size_t lines = titleLines(row);
  return lines == 0 ? 0 : (static_cast<double>(lines) + 0.5) * kLineHeight * type_;
}

double PanelRows::legendHeight(const PanelRow& row) const {
  std::size_t lines = 0;
  for (const PanelSpace& panel : panelsOf(row))
    lines = std::max(lines, panel.legendLines);
  return lines == 0 ? 0 : gap() / 2 + static_cast<double>(lines) * kLineHeight * type_;
}

double PanelRows::above(const PanelRow& row, std::size_t k) const {
  const auto top = [](const PanelSpace::OfPlot& plot) { return plot.margins.top; };
  return most(panelsOf(row), k, top) + (k > 0 ? gap() : 0);
}

double PanelRows::below(const PanelRow& row, std::size_t k) const {
  return most(panelsOf(row), k, [](const PanelSpace::OfPlot& plot) { return plot.margins.bottom; });
}

// A single panel keeps its shape; curves that share a row are as high as a panel in columns.
Growing PanelRows::heightOfPlot(const PanelRow& row, std::size_t k) const {
  const double height =
      most(panelsOf(row), k, [](const PanelSpace::OfPlot& plot) { return plot.height; });
  if (!panels_[row.first].alone)
    return {0, height};
  return {height * row.width.fixed, height * row.width.share};
}

Growing PanelRows::heightOf(const PanelRow& row) const {
  Growing height{titleHeight(row) + legendHeight(row), 0};
  for (std::size_t k = 0; k < mostPlots(panelsOf(row)); ++k) {
    const Growing plot = heightOfPlot(row, k);
    height.fixed += above(row, k) + plot.fixed + below(row, k);
    height.share += plot.share;
  }
  return height;
}

Growing PanelRows::height() const {
  Growing all{(static_cast<double>(rows_.size()) - 1) * gap(), 0};
  for (const PanelRow& row : rows_) {
    all.fixed += row.height.fixed;
    all.share += row.height.share;
  }
  return all;
}

// An axis of its own gives a panel room up to the gap; plots without share the space between them.
TitleRoom PanelRows::titleRoom(const PanelRow& row, std::size_t panel) const {
  const std::size_t k = panel - row.first;
  const std::span<const PanelSpace> panels = panelsOf(row);
  const auto half = [&](double between) { return (between - type_) / 2; };
  TitleRoom room{left_, row.right};
  if (k > 0)
    room.left = panels[k].ownLeft > 0 ? panels[k].ownLeft : half(row.gaps[k - 1]);
  if (k + 1 < panels.size())
    room.right =
        panels[k + 1].ownLeft > 0 ? row.gaps[k] - panels[k + 1].ownLeft - gap() : half(row.gaps[k]);
  return room;
}

// Legends begin at their plots, so one may reach as far as the next.
double PanelRows::legendRoom(const PanelRow& row, std::size_t panel) const {
  const std::size_t k = panel - row.first;
  const std::span<const PanelSpace> panels = panelsOf(row);
  if (k + 1 == panels.size())
    return row.right;
  const double own = panels[k + 1].ownLeft;
  return row.gaps[k] - (own > 0 ? own + gap() : type_);
}

} // namespace attention
