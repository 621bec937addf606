// A plot in the window: laid out when the plot, its size or the theme changed, painted each frame.
#pragma once

#include "app/gui/views/figure_painter.h"

#include <optional>

namespace attention::gui {

class PlotPane {
public:
  // Draws `plot` into `area` of the present window; `version` changes where the plot does (the
  // address of the result that it belongs to, which it keeps alive). The part that its mark fills,
  // in points of the window; nothing where the area is too small for the plot.
  std::optional<Rect> draw(const Plot& plot, const std::shared_ptr<const void>& version,
                           const Rect& area, const Ui& ui);

private:
  struct Key {
    std::shared_ptr<const void> version;
    Size size;
    double type = 0;
    float density = 1;
    FigureTheme theme = FigureTheme::Light;
    bool operator==(const Key&) const = default;
  };

  std::optional<Key> key_;
  std::optional<PlacedPlot> placed_;
  FigurePainter painter_;
};

} // namespace attention::gui
