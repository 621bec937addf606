#include "core/plot/figure_sizes.h"

#include "core/plot/draw_marks.h"
#include "core/plot/draw_plot.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kType = 13;         // pixels at scale 1
constexpr double kTypeOfSide = 700;  // pixels of the shorter side at which type has scale 1
constexpr double kSmallTitle = 0.85; // of type, for titles that would be cut
constexpr double kLeastPlot = 24;    // pixels: a smaller plot is useless
constexpr double kBroadest = 2.8;    // width over height of a figure of plots with own axes
// Of the largest plots, for whole words around smaller ones, and for titles that are not cut.
constexpr double kLeastForWhole = 0.5;
constexpr double kLeastForUncut = 0.75;
// Of plots of curves alone beyond their shape, to fill a width, and a height.
constexpr double kMostBroader = 3;
constexpr double kMostHigher = 1.4;

double typeFor(const std::optional<Size>& size) {
  if (!size)
    return kType;
  return kType * std::clamp(std::min(size->width, size->height) / kTypeOfSide, 0.8, 8.0);
}

bool hasNames(const Plot& plot) {
  const auto* curves = std::get_if<CurvesMark>(&plot.mark);
  return (plot.keys && !plot.keys->names.empty()) ||
         (plot.queries && !plot.queries->names.empty()) || (curves && listsPoints(*curves));
}

bool anyNames(const Figure& figure) {
  return std::any_of(figure.panels.begin(), figure.panels.end(), [](const FigurePanel& panel) {
    return std::any_of(panel.plots.begin(), panel.plots.end(), hasNames);
  });
}

bool namesHaveRoom(const Figure& figure, const FigureSizes& sizes, const TextMeasure& measure) {
  bool fit = true;
  sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
    for (const Plot& plot : figure.panels[k].plots)
      fit = fit && namesHaveRoom(plot, sizes.ofPlot(plot, row), sizes.type, measure);
  });
  return fit;
}

Index cutTitles(const Figure& figure, const FigureSizes& sizes, const TextMeasure& measure) {
  Index cut = 0;
  sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
    const std::size_t lines = sizes.rows.titleLines(row);
    const FigurePanel& panel = figure.panels[k];
    if (isTitleCut(sizes.wordsOf(panel, row, k, lines, measure), panel))
      ++cut;
  });
  return cut;
}

// How words are set.
struct Wish {
  std::size_t titleLines; // of the figure's title at most
  bool names;             // of tokens and points
  double titleType = 1;   // of titles of panels, of type
};

class Sizer {
public:
  Sizer(const Figure& figure, const std::optional<Size>& size, const Wish& wish,
        const TextMeasure& measure)
      : figure_(figure), wanted_(size), wish_(wish), measure_(measure), type_(typeFor(size)) {
    for (const FigurePanel& panel : figure.panels)
      measured_.push_back(spaceOf(panel, type_, wish.names, measure));
    if (size)
      wordsOfWanted_ = wordsFor(size->width);
  }

  FigureSizes run() const {
    return wanted_
               ? inBestColumns()
               : withLines([&](const std::vector<PanelSpace>& panels) { return freely(panels); });
  }

private:
  double margins() const { return 2 * kFigureMargin * type_; }
  double titleType() const { return wish_.titleType * type_; }

  FigureWords wordsFor(double width) const {
    return figureWords(figure_, width - margins(), wish_.titleLines, type_, measure_);
  }

  // The sizes with the largest plots by area, or with slightly smaller plots whose words are whole,
  // or whose titles at least are not cut.
  FigureSizes inBestColumns() const {
    const auto extent = [](const FigureSizes& of) {
      return std::sqrt(of.plotWidth * of.shapeWidth);
    };
    std::optional<FigureSizes> largest;
    std::optional<FigureSizes> uncut;
    std::optional<FigureSizes> whole;
    for (std::size_t columns = 1; columns <= figure_.panels.size(); ++columns) {
      const FigureSizes here = withLines(
          [&](std::vector<PanelSpace> panels) { return inside(std::move(panels), columns); });
      const auto keep = [&](std::optional<FigureSizes>& best) {
        if (!best || extent(here) > extent(*best) + 0.5)
          best = here;
      };
      if (!here.haveRoom())
        continue;
      keep(largest);
      if (cutTitles(figure_, here, measure_) == 0)
        keep(uncut);
      if (wordsAreWhole(here))
        keep(whole);
    }
    if (whole && extent(*whole) >= kLeastForWhole * extent(*largest))
      return *whole;
    if (uncut && extent(*uncut) >= kLeastForUncut * extent(*largest))
      return *uncut;
    return largest ? *largest : inside(measured_, 1);
  }

  // The lines that titles and legends take depend on the width of the plots, and that on their
  // height: where the plots keep their room, words that are not whole get more lines, then only
  // titles that are cut.
  template <class Solve>
  FigureSizes withLines(Solve solve) const {
    FigureSizes sizes = solve(measured_);
    for (const auto& add : {&Sizer::addLines, &Sizer::addLinesOfCut})
      for (std::size_t round = 0; round < figure_.panels.size() && sizes.haveRoom(); ++round) {
        std::vector<PanelSpace> panels = sizes.rows.panels();
        if (!(this->*add)(panels, sizes))
          break;
        FigureSizes more = solve(std::move(panels));
        if (!more.haveRoom())
          break;
        sizes = std::move(more);
      }
    return sizes;
  }

  // Gives titles and legends that are cut more lines; returns whether there are any.
  bool addLines(std::vector<PanelSpace>& panels, const FigureSizes& sizes) const {
    bool added = false;
    sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const PanelWords words = sizes.wordsOf(figure_.panels[k], row, k, kMostTitleLines, measure_);
      const std::size_t title = std::max(panels[k].titleLines, words.title.size());
      const std::size_t legend = std::max(panels[k].legendLines, legendLines(words));
      added = added || title > panels[k].titleLines || legend > panels[k].legendLines;
      panels[k].titleLines = title;
      panels[k].legendLines = legend;
    });
    return added;
  }

  bool addLinesOfCut(std::vector<PanelSpace>& panels, const FigureSizes& sizes) const {
    bool added = false;
    sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const std::size_t lines = sizes.rows.titleLines(row);
      const FigurePanel& panel = figure_.panels[k];
      if (lines == kMostCutLines ||
          !isTitleCut(sizes.wordsOf(panel, row, k, lines, measure_), panel))
        return;
      panels[k].titleLines = lines + 1;
      added = true;
    });
    return added;
  }

  bool wordsAreWhole(const FigureSizes& sizes) const {
    bool whole = true;
    sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const FigurePanel& panel = figure_.panels[k];
      const std::size_t lines = sizes.rows.titleLines(row);
      whole = whole && isWhole(sizes.wordsOf(panel, row, k, lines, measure_), panel);
    });
    return whole;
  }

  // Words beside plots make a row of them broad: then there are more rows, as full as can be.
  FigureSizes freely(const std::vector<PanelSpace>& panels) const {
    const bool ownAxes = std::any_of(panels.begin(), panels.end(),
                                     [](const PanelSpace& of) { return of.ownLeft > 0; });
    const std::size_t all = panels.size();
    for (std::size_t columns = freeColumns(figure_.panels);;) {
      FigureSizes sizes = freelyIn(columns, panels);
      if (columns == 1 || !ownAxes || sizes.size.width <= kBroadest * sizes.size.height)
        return sizes;
      const std::size_t rows = (all + columns - 1) / columns;
      columns = std::min(columns - 1, all / (rows + 1) + (all % (rows + 1) > 0 ? 1 : 0));
    }
  }

  FigureSizes freelyIn(std::size_t columns, const std::vector<PanelSpace>& panels) const {
    constexpr double kWidths[] = {560, 400, 300, 250, 220};
    PanelRows rows(panels, columns, type_);
    // A high or broad plot keeps about the same area.
    const double plot = kWidths[std::min<std::size_t>(columns, 5) - 1] /
                        std::sqrt(std::clamp(highestPlot(panels), 0.1, 10.0));
    const double width = margins() + rows.width().at(plot);
    FigureWords words = wordsFor(width);
    const double height = around(words) + rows.height().at(plot);
    return {{std::ceil(width), std::ceil(height)},
            type_,
            titleType(),
            wish_.names,
            std::move(words),
            std::move(rows),
            plot,
            plot};
  }

  FigureSizes inside(std::vector<PanelSpace> panels, std::size_t columns) const {
    const bool curves =
        std::all_of(panels.begin(), panels.end(), [](const PanelSpace& of) { return of.curves; });
    PanelRows rows(std::move(panels), columns, type_);
    const double across = rows.width().plotWidthFor(wanted_->width - margins());
    const double down = rows.height().plotWidthFor(wanted_->height - around(wordsOfWanted_));
    const double both = std::min(across, down);
    FigureSizes sizes{*wanted_,       type_,           titleType(), wish_.names,
                      wordsOfWanted_, std::move(rows), both,        both};
    if (both <= 0)
      return sizes;
    if (curves) {
      sizes.plotWidth = std::min(across, kMostBroader * both);
      sizes.shapeWidth = std::min(std::max(down, both), kMostHigher * both);
    } else if (const double spread = std::min(across - both, wantedSpread(sizes)); spread > 0) {
      // Panels kept narrow by their heights stand apart where their words need the room.
      sizes.rows = PanelRows(sizes.rows.panels(), columns, type_, spread);
    }
    return sizes;
  }

  // Pixels by which the widest words in one line exceed their room.
  double wantedSpread(const FigureSizes& sizes) const {
    double most = 0;
    sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const FigurePanel& panel = figure_.panels[k];
      most = std::max(most, wantedBeyond(sizes.wordsRoom(panel, row, k), panel,
                                         {type_, titleType()}, measure_));
    });
    return most > 0 ? most + 1 : 0;
  }

  double around(const FigureWords& words) const {
    return margins() + headHeight(words, type_) + footHeight(words, type_);
  }

  const Figure& figure_;
  const std::optional<Size>& wanted_;
  Wish wish_;
  const TextMeasure& measure_;
  double type_;
  std::vector<PanelSpace> measured_; // titles in one line, as entries of legends
  FigureWords wordsOfWanted_;        // in the width that is wanted
};

} // namespace

Size FigureSizes::ofPlot(const Plot& plot, const PanelRow& row) const {
  const bool alone = rows.panels()[row.first].alone;
  const double shape = alone ? row.width.at(shapeWidth) : shapeWidth;
  return {row.width.at(plotWidth) * plot.share, shape * plot.share * aspect(plot)};
}

PanelWords FigureSizes::wordsOf(const FigurePanel& panel, const PanelRow& row, std::size_t index,
                                std::size_t titleLines, const TextMeasure& measure) const {
  return wordsIn(wordsRoom(panel, row, index), panel, titleLines, {type, titleType}, measure);
}

PanelRoom FigureSizes::wordsRoom(const FigurePanel& panel, const PanelRow& row,
                                 std::size_t index) const {
  const double wide = row.width.at(plotWidth);
  const TitleRoom beside = rows.titleRoom(row, index);
  double left = 0; // of the legend
  if (!panel.plots.empty()) {
    const Size size = ofPlot(panel.plots.back(), row);
    const Box box{(wide - size.width) / 2, 0, size.width, size.height};
    left = markBox(panel.plots.back(), box).x + 1; // which may lie between two pixels
  }
  return {beside.left + wide + beside.right,
          wide - left + rows.legendRoom(row, index) - kSwatchRoom * type};
}

double FigureSizes::leastWidth() const {
  double least = plotWidth;
  for (const PanelRow& row : rows.rows())
    least = std::min(least, row.width.at(plotWidth));
  return least;
}

bool FigureSizes::haveRoom() const {
  return leastWidth() >= kLeastPlot;
}

namespace {

// If need be without the words of tokens and points, and what a title has in a second line.
FigureSizes withTitles(double titleType, const Figure& figure, const std::optional<Size>& size,
                       const TextMeasure& measure) {
  for (const Wish& wish : {Wish{kMostTitleLines, true, titleType},
                           Wish{kMostTitleLines, false, titleType}, Wish{1, true, titleType}}) {
    if (wish.names && !anyNames(figure))
      continue;
    FigureSizes sizes = Sizer(figure, size, wish, measure).run();
    if (sizes.haveRoom() && (!wish.names || namesHaveRoom(figure, sizes, measure)))
      return sizes;
  }
  return Sizer(figure, size, {1, false, titleType}, measure).run();
}

} // namespace

FigureSizes sizesOf(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure) {
  FigureSizes sizes = withTitles(1, figure, size, measure);
  const Index cut = sizes.haveRoom() ? cutTitles(figure, sizes, measure) : 0;
  if (cut == 0)
    return sizes;
  FigureSizes small = withTitles(kSmallTitle, figure, size, measure);
  return small.haveRoom() && cutTitles(figure, small, measure) < cut ? small : sizes;
}

} // namespace attention
