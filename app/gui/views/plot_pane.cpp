#include "app/gui/views/plot_pane.h"

#include "app/gui/platform/imgui_compat.h"
#include "app/gui/views/paint.h"
#include "app/gui/views/raster_image.h"
#include "core/support/error.h"

namespace attention::gui {

std::optional<Rect> PlotPane::draw(const Plot& plot, const std::shared_ptr<const void>& version,
                                   const Rect& area, const Ui& ui) {
  const Size size{static_cast<double>(widthOf(area)), static_cast<double>(heightOf(area))};
  const float density = ImGui::GetIO().DisplayFramebufferScale.x;
  const Key key{version, size, plotType(ui.fonts), density, figureTheme(ui.theme)};
  if (!key_ || !(*key_ == key)) {
    key_ = key;
    try {
      LayoutOptions options;
      options.pixelsPerUnit = static_cast<double>(density);
      options.atPixels = true;
      placed_ = layoutPlot(plot, size, {key.type, key.theme}, windowMeasure(ui.fonts), options);
    } catch (const Error&) { // no room: nothing is drawn
      placed_.reset();
    }
  }
  if (!placed_)
    return std::nullopt;
  painter_.paint(placed_->list, ImVec2(area.x0, area.y0), ui);
  const Box& box = placed_->box;
  return Rect{area.x0 + static_cast<float>(box.x), area.y0 + static_cast<float>(box.y),
              area.x0 + static_cast<float>(box.right()),
              area.y0 + static_cast<float>(box.bottom())};
}

} // namespace attention::gui
