// The list of heads in the Attention view: what each does, sorted by a press on a heading.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class HeadListView final : public ViewPane {
public:
  HeadListView();
  ~HeadListView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> headListStages(Results& results);
void drawHeadListOptions(const PanelContext& context);
void drawHeadListFacts(const PanelContext& context);

} // namespace attention::gui
