// The Steps picture of the Attention view: one query computed, every number on a board, or the
// whole matrix of few tokens.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class StepsView final : public ViewPane {
public:
  StepsView();
  ~StepsView() override;

  void draw(const ViewContext& context) override;
  void follow(const ViewMotion& motion) override;
  bool moves() const override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> stepsStages(Results& results);
void drawStepsOptions(const PanelContext& context);
void drawStepsFacts(const PanelContext& context);

} // namespace attention::gui
