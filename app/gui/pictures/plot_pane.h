// A plot in the window: laid out when the plot, its size or the theme changed, painted each frame.
// Its pictures are coloured by jobs; until then the previous ones are shown.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/figure_painter.h"

#include <optional>
#include <string>

namespace attention::gui {

struct ShownPlot {
  const Plot& plot;
  // Changes when the plot does: the result that it belongs to, which is kept alive.
  std::shared_ptr<const void> version;
  std::string slot; // of its pictures; different for each pane of the window
  double left = 0;  // least room beside a plot of curves, from alignedLook
  double right = 0;
  bool across = true; // as in PlotLook
  bool named = true;
  double grown = 1; // times the type of plots
};

class PlotPane {
public:
  // Draws the plot into `area` of the current window. Returns the part that its mark fills, in
  // points of the window; nothing if the area is too small for the plot.
  std::optional<Rect> draw(const ShownPlot& of, const Rect& area, const ViewContext& context);

private:
  struct Key {
    std::shared_ptr<const void> version;
    Size size;
    PlotLook look;
    float density = 1;
    bool operator==(const Key&) const = default;
  };

  void layOut(const ShownPlot& of, const Key& key, const Ui& ui);
  Rect paint(const PlotLayout& layout, std::span<const std::shared_ptr<const Image>> images,
             const Rect& area, const Ui& ui);

  std::optional<Key> key_;
  std::shared_ptr<const PlotLayout> layout_; // null: too small
  FigurePainter painter_;
};

} // namespace attention::gui
