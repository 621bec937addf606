#include "core/views/scene_thumbnail.h"

#include "core/export/cairo_painter.h"
#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace attention {
namespace {

constexpr Size kWithWords{320, 180}; // from which words are read

bool isCurves(const Plot& plot) {
  return std::holds_alternative<CurvesMark>(plot.mark);
}

// Their ticks stay: they tell that it is a plot.
void dropWords(CurvesMark& mark) {
  mark.x.label.clear();
  mark.y.label.clear();
  mark.named.clear();
  for (Curve& curve : mark.curves) {
    curve.label.clear();
    curve.fitted.clear();
  }
  for (Upright& upright : mark.uprights)
    upright.label.clear();
}

void dropWords(DiagramMark& mark) {
  mark.texts.clear();
  mark.foot = {};
  for (DiagramBox& box : mark.boxes)
    box.name = box.shape = {};
}

// The bar of its colours, and the strip above it, which take room that the cells need.
void dropWords(ValuesMark& mark) {
  mark.bar.reset();
  mark.sums.reset();
}

void dropWords(TilesMark& mark) {
  mark.rowNames.clear();
  mark.columnName.clear();
  for (HeadTile& tile : mark.tiles)
    tile.note.clear();
}

void dropWords(LinksMark& mark) {
  mark.words = false;
}

Figure withoutTitle(Figure figure) {
  figure.title.clear();
  figure.caption.clear();
  if (figure.fallback)
    figure.fallback = std::make_shared<const Figure>(withoutTitle(*figure.fallback));
  return figure;
}

} // namespace

Figure withoutWords(Figure figure) {
  Figure bare;
  bare.theme = figure.theme;
  for (FigurePanel& panel : figure.panels) {
    std::vector<Plot>& plots = panel.plots;
    for (Plot& plot : plots) {
      plot.keys.reset();
      plot.queries.reset();
      if (auto* layers = std::get_if<LayersMark>(&plot.mark))
        layers->rowNames = false;
      if (auto* curves = std::get_if<CurvesMark>(&plot.mark))
        dropWords(*curves);
      if (auto* diagram = std::get_if<DiagramMark>(&plot.mark))
        dropWords(*diagram);
      if (auto* values = std::get_if<ValuesMark>(&plot.mark))
        dropWords(*values);
      if (auto* tiles = std::get_if<TilesMark>(&plot.mark))
        dropWords(*tiles);
      if (auto* links = std::get_if<LinksMark>(&plot.mark))
        dropWords(*links);
    }
    // Curves say little without their axes.
    if (!std::all_of(plots.begin(), plots.end(), isCurves))
      plots.erase(std::remove_if(plots.begin(), plots.end(), isCurves), plots.end());
    bare.panels.push_back({"", std::move(plots), {}});
  }
  return bare;
}

Image thumbnailOf(Figure figure, const Size& size, double scale, const Run& run) {
  LayoutOptions options;
  options.pixelsPerUnit = scale;
  options.threads = 1; // many are made at once
  const auto paint = [&](const Figure& of) {
    return paintImage(layout(of, size, cairoMeasure(), options, run), scale);
  };
  figure = withoutTitle(std::move(figure));
  if (size.width >= kWithWords.width && size.height >= kWithWords.height) {
    try {
      return paint(figure);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::Range)
        throw;
    } // with fewer words it has room
  }
  return paint(withoutWords(std::move(figure)));
}

Image thumbnailOfScene(const Scene& scene, const SceneFigureOptions& options, const Size& size,
                       double scale, const Run& run) {
  const ViewUnit& unit = unitOf(scene.view);
  const auto make = unit.thumbnail ? unit.thumbnail : unit.figure;
  return thumbnailOf(make(scene, options, run), size, scale, run);
}

} // namespace attention
