#include "core/figure/thumbnail.h"

#include "core/figure/cairo_painter.h"
#include "core/figure/layout.h"

namespace attention {

Figure withoutWords(Figure figure) {
  Figure bare;
  bare.theme = figure.theme;
  for (FigurePanel& panel : figure.panels) {
    for (Plot& plot : panel.plots) {
      plot.keys.reset();
      plot.queries.reset();
    }
    bare.panels.push_back({"", std::move(panel.plots), {}});
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
