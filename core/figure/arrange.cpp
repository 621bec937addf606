#include "core/figure/arrange.h"

#include "core/figure/draw_named_points.h"
#include "core/figure/plot_margins.h"
#include "core/figure/ticks.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attention {
namespace {

constexpr double kType = 13;      // pixels at scale 1
constexpr double kLeastPlot = 24; // pixels: a smaller plot says nothing
constexpr double kBroadest = 2.8; // width over height of a figure of plots with own axes
constexpr std::size_t kMostTitleLines = 2;
constexpr double kTypeOfSide = 700; // pixels of the shorter side at which type has scale 1

// Distances in sizes of type.
constexpr double kMargin = 1.1;
constexpr double kGap = 1.3;

double typeFor(const std::optional<Size>& size) {
  if (!size)
    return kType;
  return kType * std::clamp(std::min(size->width, size->height) / kTypeOfSide, 0.8, 8.0);
}

class Arranger {
public:
  Arranger(const Figure& figure, const std::optional<Size>& size, const TextMeasure& measure)
      : figure_(figure), measure_(measure), wanted_(size) {
    result_.type = typeFor(size);
    line_ = kLineHeight * result_.type;
  }

  Arrangement run() {
    result_.names = anyNames();
    solve();
    if (result_.names && !namesHaveRoom()) {
      result_.names = false;
      solve();
    }
    place();
    return std::move(result_);
  }

private:
  double type() const { return result_.type; }
  double margin() const { return kMargin * type(); }
  double gap() const { return kGap * type(); }
  Index panels() const { return static_cast<Index>(figure_.panels.size()); }

  template <class Visit>
  void forEachPlot(Visit visit) const {
    for (const FigurePanel& panel : figure_.panels)
      for (const Plot& plot : panel.plots)
        visit(plot);
  }

  bool anyNames() const {
    bool any = false;
    forEachPlot([&](const Plot& plot) {
      const auto* curves = std::get_if<CurvesMark>(&plot.mark);
      any = any || (plot.keys && !plot.keys->names.empty()) ||
            (plot.queries && !plot.queries->names.empty()) || (curves && listsPoints(*curves));
    });
    return any;
  }

  bool namesHaveRoom() const {
    bool fit = true;
    forEachPlot([&](const Plot& plot) {
      const double width = plotWidth_ * plot.share;
      if (plot.keys && !plot.keys->names.empty())
        fit = fit && namesFit(*plot.keys, width, type());
      if (plot.queries && !plot.queries->names.empty())
        fit = fit && namesFit(*plot.queries, width * aspect(plot), type());
      const auto* curves = std::get_if<CurvesMark>(&plot.mark);
      if (curves && listsPoints(*curves))
        fit = fit && attention::namesHaveRoom(*curves, {0, 0, width, width * aspect(plot)}, type(),
                                              measure_);
    });
    return fit;
  }

  PlotMargins margins(const Plot& plot) const {
    return marginsOf(plot, type(), result_.names, measure_);
  }

  // The largest of one side's margins over all plots.
  double widest(double PlotMargins::*side) const {
    double most = 0;
    forEachPlot([&](const Plot& plot) { most = std::max(most, margins(plot).*side); });
    return most;
  }
  double rightOf() const { return widest(&PlotMargins::right); }

  // Axes of queries stand at the leftmost panel where all panels share them.
  double gutter() const { return widest(&PlotMargins::left); }

  bool ownAxes() const {
    bool own = false;
    forEachPlot([&](const Plot& plot) { own = own || !sharesQueries(plot); });
    return own;
  }

  double titleHeight() const {
    return titleLines_ == 0 ? 0 : (static_cast<double>(titleLines_) + 0.5) * line_;
  }

  // Panels that stand side by side.
  using Row = std::span<const FigurePanel>;

  // Curves have no shape of their own: those of a last row that is not full share its width.
  double widthIn(Row row) const {
    const auto count = static_cast<Index>(row.size());
    const bool last = &row.back() == &figure_.panels.back();
    if (row.front().alone)
      return widthOfAll(columns_, plotWidth_);
    if (!last || count == columns_ || panels() < columns_ ||
        !std::all_of(row.begin(), row.end(), isOfCurves))
      return plotWidth_;
    return (widthOfAll(columns_, plotWidth_) - static_cast<double>(count - 1) * columnGap()) /
           static_cast<double>(count);
  }

  // From the left of the first plot of a full row to the right of its last one.
  double widthOfAll(Index columns, double plotWidth) const {
    return static_cast<double>(columns) * (plotWidth + columnGap()) - columnGap();
  }

  static bool isOfCurves(const FigurePanel& panel) {
    return std::all_of(panel.plots.begin(), panel.plots.end(), [](const Plot& plot) {
      return std::holds_alternative<CurvesMark>(plot.mark);
    });
  }

  // What a panel's title may take on both sides of its plot: axes and words of curves begin below.
  double leftOfTitle() const { return ownAxes() ? gutter() : (columnGap() - type()) / 2; }
  double rightOfTitle() const { return ownAxes() ? rightOf() : (columnGap() - type()) / 2; }

  // In at most so many lines, the last of which is shortened where they do not do.
  std::vector<std::string> titleOf(const FigurePanel& panel, std::size_t most,
                                   double plotWidth) const {
    const double room = leftOfTitle() + plotWidth + rightOfTitle();
    const Type bold{type(), true};
    std::vector<std::string> lines = wrapped(panel.title, room, bold, measure_);
    if (most > 0 && lines.size() > most) {
      std::string& last = lines[most - 1];
      for (std::size_t k = most; k < lines.size(); ++k)
        last += " " + lines[k];
      last = fitted(last, room, bold, measure_);
      lines.resize(most);
    }
    return lines;
  }

  bool cutsTitles() const {
    for (const Row row : rowsIn(columns_))
      for (const FigurePanel& panel : row)
        if (titleOf(panel, kMostTitleLines, widthIn(row)).size() > 1)
          return true;
    return false;
  }

  std::vector<Row> rowsIn(Index columns) const {
    std::vector<Row> rows;
    for (Row rest = figure_.panels; !rest.empty();) {
      const auto alone = std::find_if(rest.begin(), rest.end(),
                                      [](const FigurePanel& panel) { return panel.alone; });
      const auto before = static_cast<std::size_t>(alone - rest.begin());
      const std::size_t most = std::min(static_cast<std::size_t>(columns), rest.size());
      rows.push_back(rest.first(std::clamp<std::size_t>(before, 1, most)));
      rest = rest.subspan(rows.back().size());
    }
    return rows;
  }

  double legendHeight(Row row) const {
    std::size_t lines = 0;
    for (const FigurePanel& panel : row)
      lines = std::max(lines, panel.legend.size());
    return lines == 0 ? 0 : kGap / 2 * type() + static_cast<double>(lines) * line_;
  }

  // The largest of one side's margins over the plots `k` of a row.
  double beside(Row row, std::size_t k, double PlotMargins::*side) const {
    double height = 0;
    for (const FigurePanel& panel : row)
      if (k < panel.plots.size())
        height = std::max(height, margins(panel.plots[k]).*side);
    return height;
  }
  // Above plot `k` of a row: its axis, and the gap to the plot over it.
  double above(Row row, std::size_t k) const {
    return beside(row, k, &PlotMargins::top) + (k > 0 ? gap() : 0);
  }
  double below(Row row, std::size_t k) const { return beside(row, k, &PlotMargins::bottom); }

  // The highest plot `k` of a row for a plot width of 1.
  static double heightOf(Row row, std::size_t k) {
    double height = 0;
    for (const FigurePanel& panel : row)
      if (k < panel.plots.size())
        height = std::max(height, panel.plots[k].share * aspect(panel.plots[k]));
    return height;
  }

  // Of all plots, for a plot width of 1.
  double highest() const {
    double height = 0;
    for (std::size_t k = 0; k < mostPlots(figure_.panels); ++k)
      height = std::max(height, heightOf(figure_.panels, k));
    return height;
  }

  static std::size_t mostPlots(Row row) {
    std::size_t most = 0;
    for (const FigurePanel& panel : row)
      most = std::max(most, panel.plots.size());
    return most;
  }

  // The height of a row: what is fixed of it, and what grows with the width of plots.
  struct RowHeight {
    double fixed = 0;
    double growing = 0; // for a plot width of 1
    double at(double plotWidth) const { return fixed + plotWidth * growing; }
  };

  RowHeight heightOf(Row row, Index columns) const {
    RowHeight height{titleHeight() + legendHeight(row), 0};
    for (std::size_t k = 0; k < mostPlots(row); ++k) {
      const RowHeight plot = heightOfPlot(row, k, columns);
      height.fixed += above(row, k) + plot.fixed + below(row, k);
      height.growing += plot.growing;
    }
    return height;
  }

  // What is alone keeps its shape over the whole width.
  RowHeight heightOfPlot(Row row, std::size_t k, Index columns) const {
    const double height = heightOf(row, k);
    if (!row.front().alone)
      return {0, height};
    return {height * widthOfAll(columns, 0), height * static_cast<double>(columns)};
  }

  // Of all rows, and the gaps between them.
  RowHeight heightIn(Index columns) const {
    const std::vector<Row> rows = rowsIn(columns);
    RowHeight all{(static_cast<double>(rows.size()) - 1) * gap(), 0};
    for (const Row row : rows) {
      const RowHeight height = heightOf(row, columns);
      all.fixed += height.fixed;
      all.growing += height.growing;
    }
    return all;
  }

  double fixedWidth(Index columns) const {
    return 2 * margin() + gutter() + rightOf() + static_cast<double>(columns - 1) * columnGap();
  }
  double columnGap() const {
    return ownAxes() ? rightOf() + gap() + gutter() : std::max(gap(), 2 * rightOf() + type() / 2);
  }

  double headHeight() const { return figure_.title.empty() ? 0 : 2 * line_; }

  double footHeight() const {
    const std::size_t words = result_.caption.size() + result_.source.size();
    double height = static_cast<double>(legendRows_) * 1.15 * line_;
    if (legendRows_ > 0)
      height += gap() / 2;
    return height + (words > 0 ? gap() / 2 + static_cast<double>(words) * line_ : 0);
  }

  void breakWords(double width) {
    const Type words{type(), false};
    const double inner = width - 2 * margin();
    result_.caption = wrapped(figure_.caption, inner, words, measure_);
    result_.source = wrapped(figure_.source, inner, words, measure_);
    legendRows_ = flowLegend(inner, 0, {});
  }

  // Rows that the shared legend takes; fills `places` where it is given.
  std::size_t flowLegend(double width, double top, std::vector<LegendPlace>* places) const {
    double x = 0;
    std::size_t rows = 0;
    for (const LegendEntry& entry : figure_.legend) {
      const double wide = 1.5 * type() + measure_(entry.label, type(), false) + 1.6 * type();
      if (rows == 0 || x + wide > width + 1.6 * type()) {
        ++rows;
        x = 0;
      }
      if (places)
        places->push_back(
            {{margin() + x, top + (static_cast<double>(rows - 1) * 1.15 + 0.8) * line_}, entry});
      x += wide;
    }
    return rows;
  }

  // The lines that titles take depend on the width of the plots, and that on their height.
  void solve() {
    const bool any = std::any_of(figure_.panels.begin(), figure_.panels.end(),
                                 [](const FigurePanel& p) { return !p.title.empty(); });
    if (!solveWithTitles(any ? 1 : 0))
      throwTooSmall(*wanted_);
    if (cutsTitles() && !solveWithTitles(kMostTitleLines))
      solveWithTitles(1);
  }

  // Whether the plots have room beside titles of so many lines.
  bool solveWithTitles(std::size_t lines) {
    titleLines_ = lines;
    if (wanted_)
      solveInside(*wanted_);
    else
      solveFreely();
    return plotWidth_ >= kLeastPlot;
  }

  // Words beside plots make a row of them broad: then there are more rows, as full as can be.
  void solveFreely() {
    for (columns_ = freeColumns();;) {
      solveInColumns();
      const Size& size = result_.size;
      if (columns_ == 1 || !ownAxes() || size.width <= kBroadest * size.height)
        return;
      const Index rows = ceilDiv(panels(), columns_);
      columns_ = std::min(columns_ - 1, ceilDiv(panels(), rows + 1));
    }
  }

  void solveInColumns() {
    constexpr double kWidths[] = {560, 400, 300, 250, 220};
    plotWidth_ = kWidths[std::min<Index>(columns_, 5) - 1];
    // A high or broad plot keeps about the same area.
    plotWidth_ /= std::sqrt(std::clamp(highest(), 0.1, 10.0));
    const double width = fixedWidth(columns_) + static_cast<double>(columns_) * plotWidth_;
    breakWords(width);
    const double height =
        2 * margin() + headHeight() + footHeight() + heightIn(columns_).at(plotWidth_);
    result_.size = {std::ceil(width), std::ceil(height)};
  }

  // How many panels with axes of queries stand before those of something else.
  Index leadingMatrices() const {
    const auto isMatrix = [](const FigurePanel& panel) {
      return !panel.plots.empty() && panel.plots.front().queries.has_value();
    };
    const auto& all = figure_.panels;
    return std::find_if_not(all.begin(), all.end(), isMatrix) - all.begin();
  }

  // Matrices side by side, and what is plotted of them in the row below; else up to five, and more
  // in rows with as few gaps as can be.
  Index freeColumns() const {
    const auto alone = std::count_if(figure_.panels.begin(), figure_.panels.end(),
                                     [](const FigurePanel& panel) { return panel.alone; });
    if (alone > 0)
      return std::max<Index>(panels() - alone, 1);
    const Index matrices = leadingMatrices();
    if (matrices < panels() && panels() <= 2 * matrices)
      return matrices;
    if (panels() <= 5)
      return panels();
    Index best = 5;
    for (const Index columns : {4, 3, 6})
      if (floorMod(-panels(), columns) < floorMod(-panels(), best))
        best = columns;
    return best;
  }

  void solveInside(const Size& size) {
    result_.size = size;
    breakWords(size.width);
    plotWidth_ = 0;
    for (Index columns = 1; columns <= panels(); ++columns) {
      const double width = widthWith(columns, size);
      if (width > plotWidth_ + 0.5) {
        plotWidth_ = width;
        columns_ = columns;
      }
    }
  }

  double widthWith(Index columns, const Size& size) const {
    const double across = (size.width - fixedWidth(columns)) / static_cast<double>(columns);
    const double down = size.height - 2 * margin() - headHeight() - footHeight();
    const RowHeight height = heightIn(columns);
    return std::min(across, (down - height.fixed) / height.growing);
  }

  [[noreturn]] void throwTooSmall(const Size& size) const {
    const auto whole = [](double pixels) {
      return std::to_string(static_cast<Index>(std::ceil(pixels)));
    };
    throwRange("size", whole(size.width) + "x" + whole(size.height),
               "a picture with room for plots, axes and words: larger, or without axes");
  }

  void place() {
    const double height = heightIn(columns_).at(plotWidth_);
    const double used = 2 * margin() + headHeight() + footHeight() + height;
    const double spareWidth =
        result_.size.width - fixedWidth(columns_) - static_cast<double>(columns_) * plotWidth_;
    const double left = margin() + std::max(spareWidth, 0.0) / 2;
    double top = margin() + std::max(result_.size.height - used, 0.0) / 2;
    result_.title = {margin(), top, result_.size.width - 2 * margin(), headHeight()};
    top += headHeight();
    double y = top;
    for (const Row row : rowsIn(columns_)) {
      double x = left + gutter();
      for (const FigurePanel& panel : row) {
        placePanel(panel, row, {x, y});
        x += widthIn(row) + columnGap();
      }
      y += heightOf(row, columns_).at(plotWidth_) + gap();
    }
    placeFoot(top + height);
  }

  void placePanel(const FigurePanel& panel, Row row, Point at) {
    const double wide = widthIn(row);
    PanelBoxes boxes;
    boxes.first = &panel == row.data();
    boxes.title = {at.x - leftOfTitle(), at.y, leftOfTitle() + wide + rightOfTitle(),
                   titleHeight()};
    boxes.middle = at.x + wide / 2;
    boxes.words = titleOf(panel, titleLines_, wide);
    double y = at.y + titleHeight();
    for (std::size_t k = 0; k < panel.plots.size(); ++k) {
      y += above(row, k);
      const double width = wide * panel.plots[k].share;
      const double shape = panel.plots[k].share * aspect(panel.plots[k]);
      const double height = (panel.alone ? wide : plotWidth_) * shape;
      boxes.plots.push_back({at.x + (wide - width) / 2, y, width, height});
      y += heightOfPlot(row, k, columns_).at(plotWidth_) + below(row, k);
    }
    boxes.legend = {at.x, y + kGap / 2 * type(), wide, legendHeight(row)};
    result_.panels.push_back(std::move(boxes));
  }

  void placeFoot(double y) {
    if (legendRows_ > 0) {
      y += gap() / 2;
      flowLegend(result_.size.width - 2 * margin(), y, &result_.legend);
      y += static_cast<double>(legendRows_) * 1.15 * line_;
    }
    result_.captionTop = y + gap() / 2 + type();
  }

  const Figure& figure_;
  const TextMeasure& measure_;
  std::optional<Size> wanted_;
  Arrangement result_;
  double line_ = 0;
  double plotWidth_ = 0;
  Index columns_ = 1;
  std::size_t legendRows_ = 0;
  std::size_t titleLines_ = 0; // of the panels
};

} // namespace

Arrangement arrange(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure) {
  return Arranger(figure, size, measure).run();
}

} // namespace attention
