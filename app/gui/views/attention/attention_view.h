// The Attention view: weights of one model head as matrices side by side with what each query
// keeps, all heads small, or lines between tokens, chosen by tabs. One cell is pointed at in all
// matrices at once, and they share the camera.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class AttentionView final : public ViewPane {
public:
  AttentionView();
  ~AttentionView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> attentionStages(Results& results);
void drawAttentionOptions(const PanelContext& context); // what is shown of the weights
void drawAttentionFacts(const PanelContext& context);   // the query, what is kept, formulas

} // namespace attention::gui
