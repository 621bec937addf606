#include "core/figure/arrange.h"

#include "core/figure/draw_named_points.h"
#include "core/figure/panel_rows.h"
#include "core/figure/ticks.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention {
namespace {

constexpr double kType = 13;      // pixels at scale 1
constexpr double kLeastPlot = 24; // pixels: a smaller plot says nothing
constexpr double kLegible = 7;    // sizes of type: a narrower plot is no companion of another
constexpr double kBroadest = 2.8; // width over height of a figure of plots with own axes
constexpr std::size_t kMostTitleLines = 2;
constexpr double kTypeOfSide = 700; // pixels of the shorter side at which type has scale 1
constexpr double kMargin = 1.1;     // around the figure, of type
// Of plots of curves alone beyond their shape, to fill a width, and a height.
constexpr double kMostBroader = 3;
constexpr double kMostHigher = 1.4;

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
    if (!hasRoom())
      throwTooSmall(*wanted_);
    place();
    return std::move(result_);
  }

  // Whether the plots have room, with the words of tokens and points where these have room too.
  bool hasRoom() {
    result_.names = anyNames();
    if (!solve())
      return false;
    if (!result_.names || namesHaveRoom())
      return true;
    result_.names = false;
    return solve();
  }

  bool isLegible() { return hasRoom() && leastWidth() >= kLegible * type(); }

private:
  double type() const { return result_.type; }
  double margin() const { return kMargin * type(); }
  double gap() const { return kFigureGap * type(); }
  std::size_t panels() const { return figure_.panels.size(); }

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
    for (const PanelRow& row : rows_->rows())
      for (std::size_t k = row.first; k < row.first + row.count; ++k)
        for (const Plot& plot : figure_.panels[k].plots)
          fit = fit && attention::namesHaveRoom(plot, sizeOf(plot, row), type(), measure_);
    return fit;
  }

  // Curves that share the width of a row are as high as if they stood in columns.
  Size sizeOf(const Plot& plot, const PanelRow& row) const {
    const bool alone = figure_.panels[row.first].alone;
    const double shape = alone ? row.width.at(shapeWidth_) : shapeWidth_;
    return {row.width.at(plotWidth_) * plot.share, shape * plot.share * aspect(plot)};
  }

  void measurePanels() {
    spaces_.clear();
    for (const FigurePanel& panel : figure_.panels)
      spaces_.push_back(spaceOf(panel, type(), result_.names, measure_));
  }

  // In at most so many lines, the last of which is shortened where they do not do.
  std::vector<std::string> titleOf(std::size_t panel, const PanelRow& row, std::size_t most) const {
    const TitleRoom beside = rows_->titleRoom(row, panel);
    const double room = beside.left + row.width.at(plotWidth_) + beside.right;
    const Type bold{type(), true};
    std::vector<std::string> lines = wrapped(figure_.panels[panel].title, room, bold, measure_);
    if (most > 0 && lines.size() > most) {
      std::string& last = lines[most - 1];
      for (std::size_t k = most; k < lines.size(); ++k)
        last += " " + lines[k];
      last = fitted(last, room, bold, measure_);
      lines.resize(most);
    }
    return lines;
  }

  // Gives titles that their line cuts a second one; whether there are such.
  bool addTitleLines() {
    bool added = false;
    for (const PanelRow& row : rows_->rows())
      for (std::size_t k = row.first; k < row.first + row.count; ++k) {
        const std::size_t lines = titleOf(k, row, kMostTitleLines).size();
        added = added || lines > std::max<std::size_t>(spaces_[k].titleLines, 1);
        spaces_[k].titleLines = std::max(spaces_[k].titleLines, lines);
      }
    return added;
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

  // The lines that titles take depend on the width of the plots, and that on their height: those
  // that are cut get a second line where the plots keep their room.
  bool solve() {
    measurePanels();
    if (!solveWithTitles())
      return false;
    std::vector<PanelSpace> before = spaces_;
    for (std::size_t round = 0; round < panels() && addTitleLines(); ++round) {
      if (!solveWithTitles()) {
        spaces_ = std::move(before);
        return solveWithTitles();
      }
      before = spaces_;
    }
    return true;
  }

  // Whether the plots have room.
  bool solveWithTitles() {
    if (wanted_)
      solveInside(*wanted_);
    else
      solveFreely();
    return leastWidth() >= kLeastPlot;
  }

  double leastWidth() const {
    double least = plotWidth_;
    for (const PanelRow& row : rows_->rows())
      least = std::min(least, row.width.at(plotWidth_));
    return least;
  }

  // Words beside plots make a row of them broad: then there are more rows, as full as can be.
  void solveFreely() {
    for (std::size_t columns = freeColumns(figure_.panels);;) {
      rows_.emplace(spaces_, columns, type());
      sizeFreely(columns);
      const Size& size = result_.size;
      if (columns == 1 || !anyOwnAxes() || size.width <= kBroadest * size.height)
        return;
      const std::size_t rows = (panels() + columns - 1) / columns;
      columns = std::min(columns - 1, panels() / (rows + 1) + (panels() % (rows + 1) > 0 ? 1 : 0));
    }
  }

  bool anyOwnAxes() const {
    return std::any_of(spaces_.begin(), spaces_.end(),
                       [](const PanelSpace& of) { return of.ownLeft > 0; });
  }

  void sizeFreely(std::size_t columns) {
    constexpr double kWidths[] = {560, 400, 300, 250, 220};
    plotWidth_ = kWidths[std::min<std::size_t>(columns, 5) - 1];
    // A high or broad plot keeps about the same area.
    plotWidth_ /= std::sqrt(std::clamp(highestPlot(spaces_), 0.1, 10.0));
    shapeWidth_ = plotWidth_;
    const double width = 2 * margin() + rows_->width().at(plotWidth_);
    breakWords(width);
    const double height =
        2 * margin() + headHeight() + footHeight() + rows_->height().at(shapeWidth_);
    result_.size = {std::ceil(width), std::ceil(height)};
  }

  void solveInside(const Size& size) {
    result_.size = size;
    breakWords(size.width);
    plotWidth_ = 0;
    rows_.emplace(spaces_, 1, type());
    for (std::size_t columns = 1; columns <= panels(); ++columns) {
      PanelRows rows(spaces_, columns, type());
      const double width = widthInside(size, rows);
      if (width > plotWidth_ + 0.5) {
        plotWidth_ = width;
        rows_ = std::move(rows);
      }
    }
    shapeWidth_ = plotWidth_;
    if (!ofCurves())
      return;
    plotWidth_ = std::clamp(widthAcross(size, *rows_), shapeWidth_, kMostBroader * shapeWidth_);
    shapeWidth_ = std::clamp(widthDown(size, *rows_), shapeWidth_, kMostHigher * shapeWidth_);
  }

  bool ofCurves() const {
    return std::all_of(spaces_.begin(), spaces_.end(),
                       [](const PanelSpace& of) { return of.curves; });
  }

  double widthAcross(const Size& size, const PanelRows& rows) const {
    const Growing width = rows.width();
    return (size.width - 2 * margin() - width.fixed) / width.share;
  }

  double widthDown(const Size& size, const PanelRows& rows) const {
    const Growing height = rows.height();
    const double down = size.height - 2 * margin() - headHeight() - footHeight() - height.fixed;
    return down / height.share;
  }

  double widthInside(const Size& size, const PanelRows& rows) const {
    return std::min(widthAcross(size, rows), widthDown(size, rows));
  }

  [[noreturn]] void throwTooSmall(const Size& size) const {
    const auto whole = [](double pixels) {
      return std::to_string(static_cast<Index>(std::ceil(pixels)));
    };
    throwRange("size", whole(size.width) + "x" + whole(size.height),
               "a picture with room for plots, axes and words: larger, or without axes");
  }

  void place() {
    const double height = rows_->height().at(shapeWidth_);
    const double used = 2 * margin() + headHeight() + footHeight() + height;
    const double wide = 2 * margin() + rows_->width().at(plotWidth_);
    const double left = margin() + std::max(result_.size.width - wide, 0.0) / 2;
    double top = margin() + std::max(result_.size.height - used, 0.0) / 2;
    result_.title = {margin(), top, result_.size.width - 2 * margin(), headHeight()};
    top += headHeight();
    double y = top;
    for (const PanelRow& row : rows_->rows()) {
      double x = left + rows_->left();
      for (std::size_t k = 0; k < row.count; ++k) {
        placePanel(row.first + k, row, {x, y});
        x += row.width.at(plotWidth_) + (k < row.gaps.size() ? row.gaps[k] : 0);
      }
      y += row.height.at(shapeWidth_) + gap();
    }
    placeFoot(top + height);
  }

  void placePanel(std::size_t panel, const PanelRow& row, Point at) {
    const double wide = row.width.at(plotWidth_);
    const TitleRoom beside = rows_->titleRoom(row, panel);
    PanelBoxes boxes;
    boxes.first = panel == row.first;
    boxes.title = {at.x - beside.left, at.y, beside.left + wide + beside.right,
                   rows_->titleHeight(row)};
    boxes.middle = at.x + wide / 2;
    boxes.words = titleOf(panel, row, spaces_[panel].titleLines);
    double y = at.y + boxes.title.height;
    const std::vector<Plot>& plots = figure_.panels[panel].plots;
    for (std::size_t k = 0; k < plots.size(); ++k) {
      y += rows_->above(row, k);
      const Size size = sizeOf(plots[k], row);
      boxes.plots.push_back({at.x + (wide - size.width) / 2, y, size.width, size.height});
      y += rows_->heightOfPlot(row, k).at(shapeWidth_) + rows_->below(row, k);
    }
    boxes.legend = {at.x, y + gap() / 2, wide, rows_->legendHeight(row)};
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
  double plotWidth_ = 0;  // of panels in columns
  double shapeWidth_ = 0; // that gives their heights: as much, unless curves are stretched
  std::vector<PanelSpace> spaces_;
  std::optional<PanelRows> rows_;
  std::size_t legendRows_ = 0;
};

// The name of the y axis of curves; null for other plots.
const std::string* nameUp(const Plot& plot) {
  const auto* curves = std::get_if<CurvesMark>(&plot.mark);
  return curves && !curves->y.label.empty() ? &curves->y.label : nullptr;
}

} // namespace

Arrangement arrange(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure) {
  return Arranger(figure, size, measure).run();
}

std::optional<Figure> namedAbove(const Figure& figure, const Arrangement& places,
                                 const std::optional<Size>& size, const TextMeasure& measure) {
  const auto untitled = [&](const FigurePanel& panel) {
    return panel.title.empty() && panel.plots.size() == 1 && nameUp(panel.plots.front());
  };
  bool cut = false;
  for (std::size_t k = 0; k < figure.panels.size(); ++k)
    if (untitled(figure.panels[k])) {
      const double room = nameRoomUp(places.panels[k].plots.front().height, places.type);
      cut = cut || measure(*nameUp(figure.panels[k].plots.front()), places.type, false) > room;
    }
  if (!cut)
    return std::nullopt;
  Figure named = figure;
  for (FigurePanel& panel : named.panels)
    if (untitled(panel))
      panel.title = std::exchange(std::get<CurvesMark>(panel.plots.front().mark).y.label, {});
  return Arranger(named, size, measure).hasRoom() ? std::optional(std::move(named)) : std::nullopt;
}

const Figure& figureFor(const Figure& figure, const std::optional<Size>& size,
                        const TextMeasure& measure) {
  if (!size || !figure.smaller || Arranger(figure, size, measure).isLegible())
    return figure;
  return figureFor(*figure.smaller, size, measure);
}

} // namespace attention
