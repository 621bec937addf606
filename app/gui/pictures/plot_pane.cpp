#include "app/gui/pictures/plot_pane.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/platform/imgui_compat.h"
#include "core/support/error.h"

namespace attention::gui {

std::optional<Rect> PlotPane::draw(const ShownPlot& of, const Rect& area,
                                   const ViewContext& context) {
  const Ui& ui = context.ui;
  const Size size{static_cast<double>(widthOf(area)), static_cast<double>(heightOf(area))};
  const float density = ImGui::GetIO().DisplayFramebufferScale.x;
  const PlotLook look{
      of.grown * plotType(ui.fonts), figureTheme(ui.theme), of.left, of.right, of.across, of.named};
  const Key key{of.version, size, look, density};
  if (!key_ || !(*key_ == key))
    layOut(of, key, ui);
  if (!layout_)
    return std::nullopt;
  if (layout_->pictures.empty())
    return paint(*layout_, {}, area, ui);
  const Latest<PlotImages> made = context.rasters.images(of.slot, layout_);
  if (!made || made->layout->kind != layout_->kind)
    return paint(*layout_, {}, area, ui);
  // Pixels of another size or theme are stretched; those of another plot keep its axes.
  const bool same = made->layout->of == layout_->of;
  return paint(same ? *layout_ : *made->layout, made->images, area, ui);
}

void PlotPane::layOut(const ShownPlot& of, const Key& key, const Ui& ui) {
  key_ = key;
  layout_ = nullptr;
  PlotLayout layout{of.version, of.plot.mark.index(), {}, {}};
  LayoutOptions options;
  options.pixelsPerUnit = static_cast<double>(key.density);
  options.atPixels = true;
  options.later = [&](MakeImage make) { layout.pictures.push_back(std::move(make)); };
  try {
    layout.placed = layoutPlot(of.plot, key.size, key.look, windowMeasure(ui.fonts), options);
    layout_ = std::make_shared<const PlotLayout>(std::move(layout));
  } catch (const Error&) { // no room: nothing is drawn
  }
}

Rect PlotPane::paint(const PlotLayout& layout, std::span<const std::shared_ptr<const Image>> images,
                     const Rect& area, const Ui& ui) {
  painter_.paint(layout.placed.list, images, ImVec2(area.x0, area.y0), ui);
  const Box& box = layout.placed.box;
  return {area.x0 + static_cast<float>(box.x), area.y0 + static_cast<float>(box.y),
          area.x0 + static_cast<float>(box.right()), area.y0 + static_cast<float>(box.bottom())};
}

} // namespace attention::gui
