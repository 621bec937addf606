#include "core/figure/layout.h"

#include "core/figure/arrange.h"
#include "core/figure/draw_named_points.h"
#include "core/figure/draw_plot.h"
#include "core/figure/plot_margins.h"
#include "core/figure/ticks.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

class FigurePainter {
public:
  FigurePainter(const Figure& figure, const Arrangement& places, const Drawing& drawing)
      : figure_(figure), places_(places), drawing_(drawing), colors_(figureColors(figure.theme)) {}

  void run() {
    drawTitle();
    for (std::size_t k = 0; k < figure_.panels.size(); ++k)
      drawPanel(figure_.panels[k], places_.panels[k]);
    for (const LegendPlace& place : places_.legend)
      drawEntry(place.entry, place.at, places_.size.width - place.at.x);
    drawWords();
  }

private:
  double type() const { return places_.type; }
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }

  void drawTitle() {
    const Box& box = places_.title;
    const double size = 1.2 * type();
    const std::string text = fitted(figure_.title, box.width, {size, true}, drawing_.measure);
    if (!text.empty())
      add(Text{{box.x, box.y + size}, text, size, colors_.text, TextAlign::Left, true, false});
  }

  void drawPanel(const FigurePanel& panel, const PanelBoxes& boxes) {
    drawTitleOf(boxes);
    for (std::size_t k = 0; k < panel.plots.size(); ++k) {
      const bool queries = boxes.first || !sharesQueries(panel.plots[k]);
      PlotStyle style{type(), places_.names, queries, figure_.theme};
      style.room = roomAround(boxes);
      drawPlot(panel.plots[k], boxes.plots[k], style, drawing_);
    }
    const double left = boxes.plots.empty()
                            ? boxes.legend.x
                            : markBox(panel.plots.back(), boxes.plots.back()).x; // the lowest
    for (std::size_t k = 0; k < panel.legend.size(); ++k)
      drawEntry(panel.legend[k],
                {left, boxes.legend.y + (static_cast<double>(k) + 0.8) * kLineHeight * type()},
                boxes.legend.right() - left);
  }

  // Of the panel's width, as far as it reaches equally on both sides of the plot's middle.
  static double roomAround(const PanelBoxes& boxes) {
    return 2 * std::min(boxes.middle - boxes.title.x, boxes.title.right() - boxes.middle);
  }

  // Over the middle of the plot, but inside of its room.
  void drawTitleOf(const PanelBoxes& boxes) {
    const Box& room = boxes.title;
    double y = room.y + type();
    for (const std::string& words : boxes.words) {
      const double half = drawing_.measure(words, type(), true) / 2;
      const double x =
          std::clamp(boxes.middle, room.x + half, std::max(room.x + half, room.right() - half));
      add(Text{{x, y}, words, type(), colors_.text, TextAlign::Center, true, false});
      y += kLineHeight * type();
    }
  }

  // A swatch and its words; `at` is the left end of the baseline.
  void drawEntry(const LegendEntry& entry, const Point& at, double room) {
    const double swatch = 0.85 * type();
    const Box box{at.x, at.y - 0.8 * type(), swatch, swatch};
    if (entry.color == colors_.ground)
      add(StrokeBox{box, colors_.frame, 1});
    else
      add(FillBoxes{{{0, 0, 1, 1}}, entry.color, {box.x, box.y}, {swatch, swatch}});
    const double offset = 1.4 * type();
    add(Text{{at.x + offset, at.y},
             fitted(entry.label, room - offset, {type(), false}, drawing_.measure),
             type(),
             colors_.text,
             TextAlign::Left,
             false,
             false});
  }

  void drawWords() {
    const double x = places_.title.x;
    double y = places_.captionTop;
    const auto lines = [&](const std::vector<std::string>& of, const Color& color) {
      for (const std::string& line : of) {
        add(Text{{x, y}, line, type(), color, TextAlign::Left, false, false});
        y += kLineHeight * type();
      }
    };
    lines(places_.caption, colors_.text);
    lines(places_.source, colors_.dim);
  }

  const Figure& figure_;
  const Arrangement& places_;
  const Drawing& drawing_;
  const FigureColors& colors_;
};

constexpr double kMostLabels = 0.5; // of the width, for words at the right of curves

PlotMargins marginsIn(double width, const Plot& plot, const PlotLook& look, bool names,
                      const TextMeasure& measure) {
  PlotMargins margins = marginsOf(plot, look.type, names, measure);
  if (!std::holds_alternative<CurvesMark>(plot.mark))
    return margins;
  if (!look.across)
    margins.bottom = look.type / 2;
  margins.left = std::max(margins.left, look.left);
  margins.right = std::max(std::min(margins.right, kMostLabels * width), look.right);
  return margins;
}

Box insideMargins(const Size& size, const PlotMargins& m) {
  return {m.left, m.top, size.width - m.left - m.right, size.height - m.top - m.bottom};
}

} // namespace

PlotLook alignedLook(std::span<const Plot* const> plots, double width, PlotLook look,
                     const TextMeasure& measure) {
  for (const Plot* plot : plots) {
    const PlotMargins margins = marginsIn(width, *plot, look, true, measure);
    look.left = std::max(look.left, margins.left);
    look.right = std::max(look.right, margins.right);
  }
  return look;
}

double acrossHeight(double type) {
  return (0.5 + kTickGap + kAxisLabelLine * kLineHeight) * type;
}

PlacedPlot layoutPlot(const Plot& plot, const Size& size, const PlotLook& look,
                      const TextMeasure& measure, const LayoutOptions& options, const Run& run) {
  if (!look.named && std::holds_alternative<CurvesMark>(plot.mark)) {
    PlotLook named = look;
    named.named = true;
    return layoutPlot(withoutNames(plot), size, named, measure, options, run);
  }
  PlotStyle style{look.type, true, true, look.theme};
  Box box = insideMargins(size, marginsIn(size.width, plot, look, true, measure));
  if (!namesHaveRoom(plot, {box.width, box.height}, look.type, measure)) {
    style.names = false;
    box = insideMargins(size, marginsIn(size.width, plot, look, false, measure));
  }
  if (box.width < look.type || box.height < look.type)
    throwRange("size",
               std::to_string(std::lround(size.width)) + "x" +
                   std::to_string(std::lround(size.height)),
               "a size with room for the plot's axes");
  style.room = std::holds_alternative<DiagramMark>(plot.mark) ? size.width : box.width;
  style.right = size.width - box.right();
  style.across = look.across;
  box = markBox(plot, fittedTo(plot, box));
  PlacedPlot placed{{size, figureColors(look.theme).ground, {}}, box};
  drawPlot(plot, box, style, {measure, options, run, placed.list});
  return placed;
}

DisplayList layout(const Figure& of, const std::optional<Size>& size, const TextMeasure& measure,
                   const LayoutOptions& options, const Run& run) {
  const Figure& whole = figureFor(of, size, measure);
  Arrangement places = arrange(whole, size, measure);
  const std::optional<Figure> named = namedAbove(whole, places, size, measure);
  if (named)
    places = arrange(*named, size, measure);
  const Figure& figure = named ? *named : whole;
  DisplayList list{places.size, figureColors(figure.theme).ground, {}};
  FigurePainter(figure, places, {measure, options, run, list}).run();
  return list;
}

} // namespace attention
