#include "core/figure/thumbnail.h"

#include "core/figure/cairo_painter.h"
#include "core/figure/layout.h"

#include <algorithm>

namespace attention {

namespace {

bool isCurves(const Plot& plot) {
  return std::holds_alternative<CurvesMark>(plot.mark);
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
    }
    // Curves say little without their axes.
    if (!std::all_of(plots.begin(), plots.end(), isCurves))
      plots.erase(std::remove_if(plots.begin(), plots.end(), isCurves), plots.end());
    bare.panels.push_back({"", std::move(plots), {}});
  }
  return bare;
}

Image thumbnailOf(const Figure& figure, const Size& size, double scale, const Run& run) {
  LayoutOptions options;
  options.pixelsPerUnit = scale;
  options.threads = 1; // many are made at once
  return paintImage(layout(withoutWords(figure), size, cairoMeasure(), options, run), scale);
}

} // namespace attention
