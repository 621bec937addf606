// The matrices of the whole computation: all of one size, or one large with those before it beside
// it. From step to step they move to their places, and a new one comes out of the one before it.
#pragma once

#include "app/gui/interface/latest.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/views/steps/steps_motion.h"
#include "app/gui/views/steps/steps_view.h"

#include <array>

namespace attention::gui {

class StepsMatrices {
public:
  // `shown` has panels. A click on a row pins its query, and once more lets go of it.
  void draw(const ViewContext& context, const Latest<StepsShown>& shown, const StepsMotion& motion,
            const Rect& area);

private:
  void drawMatrix(const ViewContext& context, const Latest<StepsShown>& shown, std::size_t k,
                  const Rect& rect);
  void drawComing(const ViewContext& context, const StepsShown& shown, std::size_t k,
                  const Rect& rect, float share);

  std::array<PlotPane, static_cast<std::size_t>(kMatrixSteps)> panes_;
};

} // namespace attention::gui
