#include "core/figure/arrange.h"

#include "core/figure/draw_named_points.h"
#include "core/figure/draw_plot.h"
#include "core/figure/panel_rows.h"
#include "core/figure/ticks.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kType = 13;      // pixels at scale 1
constexpr double kLeastPlot = 24; // pixels: a smaller plot says nothing
constexpr double kLegible = 7;    // sizes of type: a narrower plot is no companion of another
constexpr double kBroadest = 2.8; // width over height of a figure of plots with own axes
constexpr std::size_t kMostTitleLines = 2; // of a panel's, and of the figure's
constexpr std::size_t kMostEntryLines = 2;
constexpr double kLeastOfBest = 0.5; // of the largest plots, for whole words around smaller ones
constexpr double kTypeOfSide = 700;  // pixels of the shorter side at which type has scale 1
constexpr double kMargin = 1.1;      // around the figure, of type
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
      : figure_(figure), measure_(remembering(measure)), wanted_(size) {
    result_.type = typeFor(size);
    line_ = kLineHeight * result_.type;
  }

  Arrangement run() {
    if (!hasRoom())
      throwTooSmall(wanted_.value_or(result_.size)); // a free one may leave long words no room
    place();
    return std::move(result_);
  }

  // Whether the plots have room, if need be below a title in one line.
  bool hasRoom() {
    titleLines_ = kMostTitleLines;
    if (hasRoomBelowTitle())
      return true;
    titleLines_ = 1;
    return hasRoomBelowTitle();
  }

  bool isLegible() { return hasRoom() && leastWidth() >= kLegible * type(); }

private:
  // With the words of tokens and points where these have room too.
  bool hasRoomBelowTitle() {
    result_.names = anyNames();
    if (!solve())
      return false;
    if (!result_.names || namesHaveRoom())
      return true;
    result_.names = false;
    return solve();
  }

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
    measured_.clear();
    for (const FigurePanel& panel : figure_.panels)
      measured_.push_back(spaceOf(panel, type(), result_.names, measure_));
  }

  template <class Visit>
  void forEachPanel(Visit visit) const {
    for (const PanelRow& row : rows_->rows())
      for (std::size_t k = row.first; k < row.first + row.count; ++k)
        visit(row, k);
  }

  double titleRoom(const PanelRow& row, std::size_t panel) const {
    const TitleRoom beside = rows_->titleRoom(row, panel);
    return beside.left + row.width.at(plotWidth_) + beside.right;
  }

  // For the words of an entry, beside its swatch.
  double legendRoom(const PanelRow& row, std::size_t panel) const {
    const double wide = row.width.at(plotWidth_);
    double left = 0;
    if (const auto& plots = figure_.panels[panel].plots; !plots.empty()) {
      const Size size = sizeOf(plots.back(), row);
      const Box box{(wide - size.width) / 2, 0, size.width, size.height};
      left = markBox(plots.back(), box).x + 1; // which may lie between two pixels
    }
    return wide - left + rows_->legendRoom(row, panel) - kSwatchRoom * type();
  }

  // An entry takes few lines, or has no room.
  std::vector<std::vector<std::string>> legendOf(std::size_t panel, const PanelRow& row) const {
    std::vector<std::vector<std::string>> entries;
    for (const LegendEntry& entry : figure_.panels[panel].legend) {
      entries.push_back(wrapped(entry.label, legendRoom(row, panel), {type(), false}, measure_));
      if (entries.back().size() > kMostEntryLines || !sayAll(entries.back(), entry.label))
        entries.back().clear();
    }
    return entries;
  }

  static std::size_t linesOf(const std::vector<std::vector<std::string>>& entries) {
    std::size_t lines = 0;
    for (const std::vector<std::string>& entry : entries)
      lines += entry.size();
    return lines;
  }

  // Whether all words of titles and legends are there.
  bool isWhole() const {
    bool whole = true;
    forEachPanel([&](const PanelRow& row, std::size_t k) {
      const FigurePanel& panel = figure_.panels[k];
      whole = whole && sayAll(titleOf(k, row, spaces_[k].titleLines), panel.title);
      for (const std::vector<std::string>& entry : legendOf(k, row))
        whole = whole && !entry.empty();
    });
    return whole;
  }

  // Pixels that the widest of the words in one line want beyond their room.
  double wantedSpread() const {
    double most = 0;
    forEachPanel([&](const PanelRow& row, std::size_t k) {
      const FigurePanel& panel = figure_.panels[k];
      most = std::max(most, measure_(panel.title, type(), true) - titleRoom(row, k));
      for (const LegendEntry& entry : panel.legend)
        most = std::max(most, measure_(entry.label, type(), false) - legendRoom(row, k));
    });
    return most > 0 ? most + 1 : 0;
  }

  // In at most so many lines, the last of which is shortened where they do not do.
  std::vector<std::string> titleOf(std::size_t panel, const PanelRow& row, std::size_t most) const {
    const double room = titleRoom(row, panel);
    const Type bold{type(), true};
    std::vector<std::string> lines = wrapped(figure_.panels[panel].title, room, bold, measure_);
    if (most > 0 && lines.size() > most) {
      const std::string all = restOf(lines, most - 1);
      // Panels with letters differ by these: they do without what follows a comma.
      std::string brief = all.starts_with('(') ? shortName(all, room, bold, measure_) : "";
      lines[most - 1] = brief.empty() ? fitted(all, room, bold, measure_) : std::move(brief);
      lines.resize(most);
    }
    return lines;
  }

  // The lines from one on as one.
  static std::string restOf(const std::vector<std::string>& lines, std::size_t first) {
    std::string all = lines[first];
    for (std::size_t k = first + 1; k < lines.size(); ++k)
      all += (all.ends_with('/') ? "" : " ") + lines[k];
    return all;
  }

  // Gives titles and legends that their lines cut some more; whether there are such.
  bool addLines() {
    bool added = false;
    forEachPanel([&](const PanelRow& row, std::size_t k) {
      PanelSpace& space = spaces_[k];
      const std::size_t title = titleOf(k, row, kMostTitleLines).size();
      const std::size_t legend = linesOf(legendOf(k, row));
      added =
          added || title > std::max<std::size_t>(space.titleLines, 1) || legend > space.legendLines;
      space.titleLines = std::max(space.titleLines, title);
      space.legendLines = std::max(space.legendLines, legend);
    });
    return added;
  }

  double headHeight() const {
    const auto lines = static_cast<double>(result_.heading.size());
    return lines == 0 ? 0 : 2 * line_ + (lines - 1) * kTitleType * line_;
  }

  double footHeight() const {
    const std::size_t words = result_.caption.size() + result_.source.size();
    double height = static_cast<double>(legendRows_) * 1.15 * line_;
    if (legendRows_ > 0)
      height += gap() / 2;
    return height + (words > 0 ? gap() / 2 + static_cast<double>(words) * line_ : 0);
  }

  void breakTitle(double width) {
    const Type bold{kTitleType * type(), true};
    std::vector<std::string>& lines = result_.heading;
    lines = wrapped(figure_.title, width, bold, measure_);
    if (lines.size() > titleLines_) {
      lines[titleLines_ - 1] = fitted(restOf(lines, titleLines_ - 1), width, bold, measure_);
      lines.resize(titleLines_);
    }
  }

  void breakWords(double width) {
    const Type words{type(), false};
    const double inner = width - 2 * margin();
    breakTitle(inner);
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

  bool solve() {
    measurePanels();
    if (!wanted_)
      return solveWithLines();
    result_.size = *wanted_;
    breakWords(wanted_->width);
    columns_ = bestColumns();
    return solveWithLines();
  }

  // Those that give the largest plots by area, or words that are whole around plots not much
  // smaller.
  std::size_t bestColumns() {
    struct Best {
      std::size_t columns = 1;
      double width = 0;
    };
    Best largest;
    Best whole;
    for (columns_ = 1; columns_ <= panels(); ++columns_) {
      const bool fits = solveWithLines();
      const Best here{columns_, plotWidth_ > 0 ? std::sqrt(plotWidth_ * shapeWidth_) : 0};
      if (here.width > largest.width + 0.5)
        largest = here;
      if (fits && here.width > whole.width + 0.5 && isWhole())
        whole = here;
    }
    return whole.width >= kLeastOfBest * largest.width ? whole.columns : largest.columns;
  }

  // The lines that titles and legends take depend on the width of the plots, and that on their
  // height: those that are cut get more lines where the plots keep their room.
  bool solveWithLines() {
    spaces_ = measured_;
    if (!solveOnce())
      return false;
    std::vector<PanelSpace> before = spaces_;
    for (std::size_t round = 0; round < panels() && addLines(); ++round) {
      if (!solveOnce()) {
        spaces_ = std::move(before);
        return solveOnce();
      }
      before = spaces_;
    }
    return true;
  }

  // Whether the plots have room.
  bool solveOnce() {
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
    rows_.emplace(spaces_, columns_, type());
    plotWidth_ = shapeWidth_ = widthInside(size, *rows_);
    if (!ofCurves())
      return spreadInside(size);
    plotWidth_ = std::clamp(widthAcross(size, *rows_), shapeWidth_, kMostBroader * shapeWidth_);
    shapeWidth_ = std::clamp(widthDown(size, *rows_), shapeWidth_, kMostHigher * shapeWidth_);
  }

  // Panels that their heights keep narrow stand apart where their words want the room.
  void spreadInside(const Size& size) {
    const double spread = std::min(widthAcross(size, *rows_) - plotWidth_, wantedSpread());
    if (plotWidth_ > 0 && spread > 0)
      rows_.emplace(spaces_, columns_, type(), spread);
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
    boxes.legend = {at.x, y + gap() / 2, wide + rows_->legendRoom(row, panel),
                    rows_->legendHeight(row)};
    boxes.entries = legendOf(panel, row);
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
  TextMeasure measure_;
  std::optional<Size> wanted_;
  Arrangement result_;
  double line_ = 0;
  double plotWidth_ = 0;  // of panels in columns
  double shapeWidth_ = 0; // that gives their heights: as much, unless curves are stretched
  std::size_t titleLines_ = kMostTitleLines; // of the figure's title
  std::size_t columns_ = 1;
  std::vector<PanelSpace> measured_; // titles in one line, as entries of legends
  std::vector<PanelSpace> spaces_;   // with as many lines as are given to them
  std::optional<PanelRows> rows_;
  std::size_t legendRows_ = 0;
};

} // namespace

Arrangement arrange(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure) {
  return Arranger(figure, size, measure).run();
}

bool hasRoom(const Figure& figure, const std::optional<Size>& size, const TextMeasure& measure) {
  return Arranger(figure, size, measure).hasRoom();
}

const Figure& figureFor(const Figure& figure, const std::optional<Size>& size,
                        const TextMeasure& measure) {
  if (!size || !figure.smaller || Arranger(figure, size, measure).isLegible())
    return figure;
  return figureFor(*figure.smaller, size, measure);
}

} // namespace attention
