// The weights of one model head as matrices side by side with what each query keeps, all heads
// small, or lines between tokens. One cell is pointed at in all matrices at once, and they share
// the camera.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/attention/attention_shown.h"

#include <memory>
#include <vector>

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

// Where its parts lie.
struct AttentionAreas {
  PictureFrame frame;
  std::vector<Rect> panels; // one per panel of the picture, with a line for its title at the top
  Rect hint;
};

// The height in points of a panel's title.
float panelTitle(const Ui& ui);

AttentionAreas attentionAreas(const Ui& ui, const Rect& area, const AttentionShown& shown,
                              const PictureWords& words);

} // namespace attention::gui
