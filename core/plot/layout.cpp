#include "core/plot/layout.h"

#include "core/plot/arrange.h"
#include "core/plot/draw_marks.h"
#include "core/plot/draw_plot.h"
#include "core/plot/plot_margins.h"
#include "core/plot/ticks.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <optional>

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
    for (const LegendPlace& place : places_.words.legend)
      drawEntry(place.entry.color,
                wrapped(place.entry.label, places_.size.width - place.at.x - kSwatchRoom * type(),
                        {type(), false}, drawing_.measure),
                place.at);
    drawWords();
  }

private:
  double type() const { return places_.type; }
  double lineHeight() const { return kLineHeight * type(); }
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }

  void drawTitle() {
    const Box& box = places_.title;
    const double size = kTitleType * type();
    double y = box.y + size;
    for (const std::string& line : places_.words.heading) {
      add(Text{{box.x, y}, line, size, colors_.text, TextAlign::Left, true, false});
      y += kLineHeight * size;
    }
  }

  void drawPanel(const FigurePanel& panel, const PanelBoxes& boxes) {
    drawTitleOf(boxes);
    for (std::size_t k = 0; k < panel.plots.size(); ++k) {
      const bool queries = boxes.first || !sharesQueries(panel.plots[k]);
      PlotStyle style{type(), places_.names, queries, figure_.theme};
      style.room = roomAround(boxes);
      drawPlot(panel.plots[k], boxes.plots[k], style, drawing_);
      if (drawing_.options.placed)
        drawing_.options.placed(panel.plots[k], markBox(panel.plots[k], boxes.plots[k]), type());
    }
    const double left = boxes.plots.empty()
                            ? boxes.legend.x
                            : markBox(panel.plots.back(), boxes.plots.back()).x; // the lowest
    double line = 0.8;
    for (std::size_t k = 0; k < panel.legend.size(); ++k) {
      const std::vector<std::string>& words = boxes.words.legend[k];
      if (!words.empty())
        drawEntry(panel.legend[k].color, words, {left, boxes.legend.y + line * lineHeight()});
      line += static_cast<double>(words.size());
    }
  }

  // Of the panel's width, as far as it reaches equally on both sides of the plot's middle.
  static double roomAround(const PanelBoxes& boxes) {
    return 2 * std::min(boxes.middle - boxes.title.x, boxes.title.right() - boxes.middle);
  }

  // Over the middle of the plot, but inside its room.
  void drawTitleOf(const PanelBoxes& boxes) {
    const Box& room = boxes.title;
    const double size = places_.titleType;
    double y = room.y + type();
    for (const std::string& words : boxes.words.title) {
      const double half = drawing_.measure(words, size, true) / 2;
      const double x =
          std::clamp(boxes.middle, room.x + half, std::max(room.x + half, room.right() - half));
      add(Text{{x, y}, words, size, colors_.text, TextAlign::Center, true, false});
      y += kLineHeight * type();
    }
  }

  // A swatch and its words; `at` is the left end of the first line.
  void drawEntry(const Color& color, const std::vector<std::string>& words, const Point& at) {
    const double swatch = 0.85 * type();
    const Box box{at.x, at.y - 0.8 * type(), swatch, swatch};
    if (color == colors_.ground)
      add(StrokeBox{box, colors_.frame, 1});
    else
      add(FillBoxes{{{0, 0, 1, 1}}, color, {box.x, box.y}, {swatch, swatch}});
    double y = at.y;
    for (const std::string& line : words) {
      add(Text{{at.x + kSwatchRoom * type(), y},
               line,
               type(),
               colors_.text,
               TextAlign::Left,
               false,
               false});
      y += lineHeight();
    }
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
    lines(places_.words.caption, colors_.text);
    lines(places_.words.source, colors_.dim);
  }

  const Figure& figure_;
  const Arrangement& places_;
  const Drawing& drawing_;
  const FigureColors& colors_;
};

constexpr double kMostLabels = 0.5; // of the width, for words to the right of curves

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

// A colour bar stands where it leaves its matrix larger: to its right, or below it.
std::optional<Plot> withBarPlaced(const Plot& plot, const Size& size, const PlotLook& look,
                                  const TextMeasure& measure) {
  const auto* values = std::get_if<ValuesMark>(&plot.mark);
  if (!values || !values->bar)
    return std::nullopt;
  const auto sideOf = [&](const Plot& of) {
    const Box box = insideMargins(size, marginsOf(of, look.type, false, measure));
    return std::min(box.width, box.height / aspect(of));
  };
  Plot below = plot;
  std::get<ValuesMark>(below.mark).bar->below = true;
  return sideOf(below) > sideOf(plot) ? std::optional(std::move(below)) : std::nullopt;
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

PlacedPlot layoutPlot(const Plot& whole, const Size& size, const PlotLook& look,
                      const TextMeasure& measure, const LayoutOptions& options, const Run& run) {
  const bool bare = !look.named && std::holds_alternative<CurvesMark>(whole.mark);
  const std::optional<Plot> changed =
      bare ? std::optional(withoutNames(whole)) : withBarPlaced(whole, size, look, measure);
  const Plot& plot = changed ? *changed : whole;
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

DisplayList layout(const Figure& of, const std::optional<Size>& size, const TextMeasure& asked,
                   const LayoutOptions& options, const Run& run) {
  const TextMeasure measure = remembering(asked);
  const Figure* figure = &figureFor(of, size, measure);
  Arrangement places = arrange(*figure, size, measure);
  Figure changed;
  const auto changeTo = [&](std::optional<Figure> other) {
    auto room = other ? arrangeIfRoom(*other, size, measure) : std::nullopt;
    if (!room)
      return;
    changed = std::move(*other);
    figure = &changed;
    places = std::move(*room);
  };
  changeTo(namedAbove(*figure, places, measure));
  changeTo(legendShared(*figure, places));
  DisplayList list{places.size, figureColors(figure->theme).ground, {}};
  FigurePainter(*figure, places, {measure, options, run, list}).run();
  return list;
}

} // namespace attention
