// The panels of a figure in rows of limited columns: what axes, words and gaps take of widths and
// heights, and what grows with the plots. Columns of panels are aligned over all rows; a single
// panel, and curves in an incomplete last row, share the whole width instead.
#pragma once

#include "core/plot/figure.h"
#include "core/plot/plot_margins.h"

#include <span>
#include <vector>

namespace attention {

constexpr double kFigureGap = 1.3; // between panels, between plots, and before a legend, of type

// What a panel needs in its row: measured once, since measuring words is expensive.
struct PanelSpace {
  struct OfPlot {
    PlotMargins margins;
    double share = 1;
    double height = 0; // of a panel of width 1
  };
  std::vector<OfPlot> plots;
  double left = 0;    // where the panel is the first of its row, pixels
  double ownLeft = 0; // where it is not: axes that it shares with the first one are left out
  double right = 0;
  bool curves = true; // and nothing else: they have no shape of their own
  bool alone = false;
  std::size_t legendLines = 0;
  std::size_t titleLines = 0;
};

// `names`: tokens and points of plots are labelled by their words.
PanelSpace spaceOf(const FigurePanel& panel, double type, bool names, const TextMeasure& measure);

// Of all plots of such panels, for a panel of width 1.
double highestPlot(std::span<const PanelSpace> panels);

// How many panels stand side by side where the size is free: matrices with their plots in the row
// below; else up to five, and more in rows with as few gaps as possible.
std::size_t freeColumns(std::span<const FigurePanel> panels);

// A length that grows with the width of the plots.
struct Growing {
  double fixed = 0;
  double share = 0;
  double at(double plotWidth) const { return fixed + plotWidth * share; }
  double plotWidthFor(double length) const { return (length - fixed) / share; }
};

struct PanelRow {
  std::size_t first = 0; // panel
  std::size_t count = 0;
  double right = 0;
  std::vector<double> gaps; // after each panel but the last
  Growing width;            // of each of its panels
  Growing height;           // with titles and legends
};

// The room that a title may use on both sides of its panel: axes and words of curves begin below
// it.
struct TitleRoom {
  double left = 0;
  double right = 0;
};

class PanelRows {
public:
  // `spread`: pixels that every panel gets to its right for words, beyond what its neighbour needs.
  PanelRows(std::vector<PanelSpace> panels, std::size_t columns, double type, double spread = 0);

  const std::vector<PanelSpace>& panels() const { return panels_; }
  const std::vector<PanelRow>& rows() const { return rows_; }
  template <class Visit>
  void forEachPanel(Visit visit) const { // (row, index of the panel)
    for (const PanelRow& row : rows_)
      for (std::size_t k = row.first; k < row.first + row.count; ++k)
        visit(row, k);
  }

  double left() const { return left_; } // of the first panel of every row
  Growing width() const;                // of the figure, from axis to words
  Growing height() const;               // of all rows and the gaps between them

  TitleRoom titleRoom(const PanelRow& row, std::size_t panel) const;
  double legendRoom(const PanelRow& row, std::size_t panel) const; // to the right of its panel
  std::size_t titleLines(const PanelRow& row) const;
  double titleHeight(const PanelRow& row) const;
  double legendHeight(const PanelRow& row) const;
  // Above plot `k` of a row: its axis, and the gap to the plot over it.
  double above(const PanelRow& row, std::size_t k) const;
  double below(const PanelRow& row, std::size_t k) const;
  Growing heightOfPlot(const PanelRow& row, std::size_t k) const;

private:
  std::span<const PanelSpace> panelsOf(const PanelRow& row) const;
  bool sharesWidth(const PanelRow& row) const;
  void breakRows();
  void alignColumns();
  void alignRights();
  void setWidths();
  Growing heightOf(const PanelRow& row) const;
  double gap() const { return kFigureGap * type_; }
  double between(const PanelSpace& panel, const PanelSpace& next) const;

  std::vector<PanelSpace> panels_;
  std::size_t columns_;
  double type_;
  double spread_;
  double left_ = 0;
  double right_ = 0; // of rows in columns
  std::vector<double> columnGaps_;
  std::vector<PanelRow> rows_;
};

} // namespace attention
