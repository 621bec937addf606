// The Text picture of the Attention view: the running text, shaded by what a token gives or
// receives.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class TextView final : public ViewPane {
public:
  TextView();
  ~TextView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> textStages(Results& results);
void drawTextOptions(const PanelContext& context);
void drawTextFacts(const PanelContext& context);

} // namespace attention::gui
