// The weights of one model head as matrices side by side with what each query keeps, all heads
// small, or lines between tokens. One cell is pointed at in all matrices at once, and they share
// the camera.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class WeightsView final : public ViewPane {
public:
  WeightsView();
  ~WeightsView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> weightsStages(Results& results);
void drawWeightsOptions(const PanelContext& context); // what is shown of the weights
void drawWeightsFacts(const PanelContext& context);   // the query, what is kept, formulas

} // namespace attention::gui
