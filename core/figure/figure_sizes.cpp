#include "core/figure/figure_sizes.h"

#include "core/figure/draw_named_points.h"
#include "core/figure/draw_plot.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kType = 13;         // pixels at scale 1
constexpr double kTypeOfSide = 700;  // pixels of the shorter side at which type has scale 1
constexpr double kLeastPlot = 24;    // pixels: a smaller plot says nothing
constexpr double kBroadest = 2.8;    // width over height of a figure of plots with own axes
constexpr double kLeastOfBest = 0.5; // of the largest plots, for whole words around smaller ones
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

// With at most so many lines of the figure's title, and tokens and points with or without names.
class Sizer {
public:
  Sizer(const Figure& figure, const std::optional<Size>& size, std::size_t titleLines, bool names,
        const TextMeasure& measure)
      : figure_(figure), wanted_(size), titleLines_(titleLines), names_(names), measure_(measure),
        type_(typeFor(size)) {
    for (const FigurePanel& panel : figure.panels)
      measured_.push_back(spaceOf(panel, type_, names, measure));
    if (size)
      wordsOfWanted_ = wordsFor(size->width);
  }

  FigureSizes run() const {
    return wanted_ ? inBestColumns()
                   : withLines([&](std::vector<PanelSpace> panels) { return freely(panels); });
  }

private:
  double margins() const { return 2 * kFigureMargin * type_; }

  FigureWords wordsFor(double width) const {
    return figureWords(figure_, width - margins(), titleLines_, type_, measure_);
  }

  // Those that give the largest plots by area, or words that are whole around plots not much
  // smaller.
  FigureSizes inBestColumns() const {
    const auto extent = [](const FigureSizes& of) {
      return std::sqrt(of.plotWidth * of.shapeWidth);
    };
    std::optional<FigureSizes> largest;
    std::optional<FigureSizes> whole;
    for (std::size_t columns = 1; columns <= figure_.panels.size(); ++columns) {
      const FigureSizes here = withLines(
          [&](std::vector<PanelSpace> panels) { return inside(std::move(panels), columns); });
      if (!here.haveRoom())
        continue;
      if (!largest || extent(here) > extent(*largest) + 0.5)
        largest = here;
      if (wordsAreWhole(here) && (!whole || extent(here) > extent(*whole) + 0.5))
        whole = here;
    }
    if (whole && extent(*whole) >= kLeastOfBest * extent(*largest))
      return *whole;
    return largest ? *largest : inside(measured_, 1);
  }

  // The lines that titles and legends take depend on the width of the plots, and that on their
  // height: those that are cut get more lines where the plots keep their room.
  template <class Solve>
  FigureSizes withLines(Solve solve) const {
    FigureSizes sizes = solve(measured_);
    for (std::size_t round = 0; round < figure_.panels.size() && sizes.haveRoom(); ++round) {
      std::vector<PanelSpace> panels = sizes.rows.panels();
      if (!addLines(panels, sizes))
        break;
      FigureSizes more = solve(std::move(panels));
      if (!more.haveRoom())
        break;
      sizes = std::move(more);
    }
    return sizes;
  }

  PanelWords wordsAt(const FigureSizes& sizes, const PanelRow& row, std::size_t index,
                     std::size_t titleLines) const {
    const FigurePanel& panel = figure_.panels[index];
    return wordsIn(sizes.wordsRoom(panel, row, index), panel, titleLines, type_, measure_);
  }

  // Gives titles and legends that their lines cut some more; whether there are such.
  bool addLines(std::vector<PanelSpace>& panels, const FigureSizes& sizes) const {
    bool added = false;
    sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const PanelWords words = wordsAt(sizes, row, k, kMostTitleLines);
      const std::size_t title = std::max(panels[k].titleLines, words.title.size());
      const std::size_t legend = std::max(panels[k].legendLines, legendLines(words));
      added = added || title > panels[k].titleLines || legend > panels[k].legendLines;
      panels[k].titleLines = title;
      panels[k].legendLines = legend;
    });
    return added;
  }

  bool wordsAreWhole(const FigureSizes& sizes) const {
    bool whole = true;
    sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const std::size_t titleLines = sizes.rows.panels()[k].titleLines;
      whole = whole && isWhole(wordsAt(sizes, row, k, titleLines), figure_.panels[k]);
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
            names_,
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
    FigureSizes sizes{*wanted_, type_, names_, wordsOfWanted_, std::move(rows), both, both};
    if (both <= 0)
      return sizes;
    if (curves) {
      sizes.plotWidth = std::min(across, kMostBroader * both);
      sizes.shapeWidth = std::min(std::max(down, both), kMostHigher * both);
    } else if (const double spread = std::min(across - both, wantedSpread(sizes)); spread > 0) {
      // Panels that their heights keep narrow stand apart where their words want the room.
      sizes.rows = PanelRows(sizes.rows.panels(), columns, type_, spread);
    }
    return sizes;
  }

  // Pixels that the widest of the words in one line want beyond their room.
  double wantedSpread(const FigureSizes& sizes) const {
    double most = 0;
    sizes.rows.forEachPanel([&](const PanelRow& row, std::size_t k) {
      const FigurePanel& panel = figure_.panels[k];
      most = std::max(most, wantedBeyond(sizes.wordsRoom(panel, row, k), panel, type_, measure_));
    });
    return most > 0 ? most + 1 : 0;
  }

  double around(const FigureWords& words) const {
    return margins() + headHeight(words, type_) + footHeight(words, type_);
  }

  const Figure& figure_;
  const std::optional<Size>& wanted_;
  std::size_t titleLines_;
  bool names_;
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

FigureSizes sizesOf(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure) {
  struct Attempt {
    std::size_t titleLines;
    bool names;
  };
  // If need be the words of tokens and points are left out, and what a title has in a second line.
  for (const auto& [titleLines, names] :
       {Attempt{kMostTitleLines, true}, Attempt{kMostTitleLines, false}, Attempt{1, true}}) {
    if (names && !anyNames(figure))
      continue;
    FigureSizes sizes = Sizer(figure, size, titleLines, names, measure).run();
    if (sizes.haveRoom() && (!names || namesHaveRoom(figure, sizes, measure)))
      return sizes;
  }
  return Sizer(figure, size, 1, false, measure).run();
}

} // namespace attention
