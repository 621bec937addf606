#include "core/plot/arrange.h"

#include "core/plot/draw_marks.h"
#include "core/plot/figure_sizes.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kLegible = 7;       // sizes of type: a narrower plot cannot stand beside another
constexpr double kLegibleType = 0.8; // of the type, for the words of a diagram

// Places everything of a figure according to its sizes.
class Arranger {
public:
  Arranger(const Figure& figure, FigureSizes sizes, const TextMeasure& measure)
      : figure_(figure), sizes_(std::move(sizes)), measure_(measure) {}

  Arrangement run() {
    const double above = headHeight(sizes_.words, type());
    const double height = sizes_.rows.height().at(sizes_.shapeWidth);
    const double used = 2 * margin() + above + height + footHeight(sizes_.words, type());
    const double top = margin() + std::max(sizes_.size.height - used, 0.0) / 2;
    result_.title = {margin(), top, sizes_.size.width - 2 * margin(), above};
    placeRows(top + above);
    placeFoot(top + above + height);
    result_.size = sizes_.size;
    result_.type = type();
    result_.titleType = sizes_.titleType;
    result_.names = sizes_.names;
    result_.words = std::move(sizes_.words);
    return std::move(result_);
  }

private:
  double type() const { return sizes_.type; }
  double margin() const { return kFigureMargin * type(); }
  double gap() const { return kFigureGap * type(); }

  void placeRows(double y) {
    const PanelRows& rows = sizes_.rows;
    const double wide = 2 * margin() + rows.width().at(sizes_.plotWidth);
    const double left = margin() + std::max(sizes_.size.width - wide, 0.0) / 2;
    for (const PanelRow& row : rows.rows()) {
      double x = left + rows.left();
      for (std::size_t k = 0; k < row.count; ++k) {
        placePanel(row.first + k, row, {x, y});
        x += row.width.at(sizes_.plotWidth) + (k < row.gaps.size() ? row.gaps[k] : 0);
      }
      y += row.height.at(sizes_.shapeWidth) + gap();
    }
  }

  void placePanel(std::size_t index, const PanelRow& row, Point at) {
    const PanelRows& rows = sizes_.rows;
    const FigurePanel& panel = figure_.panels[index];
    const double wide = row.width.at(sizes_.plotWidth);
    const TitleRoom beside = rows.titleRoom(row, index);
    PanelBoxes boxes;
    boxes.first = index == row.first;
    boxes.title = {at.x - beside.left, at.y, beside.left + wide + beside.right,
                   rows.titleHeight(row)};
    boxes.middle = at.x + wide / 2;
    double y = at.y + boxes.title.height;
    for (std::size_t k = 0; k < panel.plots.size(); ++k) {
      y += rows.above(row, k);
      const Size size = sizes_.ofPlot(panel.plots[k], row);
      boxes.plots.push_back({at.x + (wide - size.width) / 2, y, size.width, size.height});
      y += rows.heightOfPlot(row, k).at(sizes_.shapeWidth) + rows.below(row, k);
    }
    boxes.legend = {at.x, y + gap() / 2, wide + rows.legendRoom(row, index),
                    rows.legendHeight(row)};
    boxes.words = sizes_.wordsOf(panel, row, index, rows.titleLines(row), measure_);
    result_.panels.push_back(std::move(boxes));
  }

  void placeFoot(double y) {
    FigureWords& words = sizes_.words;
    if (!words.legend.empty())
      y += gap() / 2;
    for (LegendPlace& place : words.legend)
      place.at = {margin() + place.at.x, y + place.at.y};
    result_.captionTop = y + words.legendHeight + gap() / 2 + type();
  }

  const Figure& figure_;
  FigureSizes sizes_;
  const TextMeasure& measure_;
  Arrangement result_;
};

[[noreturn]] void throwTooSmall(const Size& size) {
  const auto whole = [](double pixels) {
    return std::to_string(static_cast<Index>(std::ceil(pixels)));
  };
  throwRange("size", whole(size.width) + "x" + whole(size.height),
             "large enough for plots, axes and words (or leave out the axes)");
}

} // namespace

std::optional<Arrangement> arrangeIfRoom(const Figure& figure, const std::optional<Size>& size,
                                         const TextMeasure& measure) {
  FigureSizes sizes = sizesOf(figure, size, measure);
  if (!sizes.haveRoom())
    return std::nullopt;
  return Arranger(figure, std::move(sizes), measure).run();
}

Arrangement arrange(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure) {
  FigureSizes sizes = sizesOf(figure, size, measure);
  if (!sizes.haveRoom())
    throwTooSmall(sizes.size); // a free one may leave long words no room
  return Arranger(figure, std::move(sizes), measure).run();
}

namespace {

// Whether the words of a diagram are about as large as others.
bool isRead(const Figure& figure, const FigureSizes& sizes) {
  for (const FigurePanel& panel : figure.panels)
    for (const Plot& plot : panel.plots) {
      const auto* diagram = std::get_if<DiagramMark>(&plot.mark);
      if (diagram &&
          leastType(*diagram, sizes.leastWidth(), sizes.type) < kLegibleType * sizes.type)
        return false;
    }
  return true;
}

} // namespace

const Figure& figureFor(const Figure& figure, const std::optional<Size>& size,
                        const TextMeasure& measure) {
  if (!size || !figure.fallback)
    return figure;
  const FigureSizes sizes = sizesOf(figure, size, measure);
  const bool legible =
      sizes.haveRoom() && sizes.leastWidth() >= kLegible * sizes.type && isRead(figure, sizes);
  return legible ? figure : figureFor(*figure.fallback, size, measure);
}

} // namespace attention
