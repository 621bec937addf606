// The Reach view (S10): the layers of a stack as a graph with what influences the chosen token lit,
// play and step, the share reached against layers, and the matrix of hops.
#pragma once

#include "app/gui/view/view.h"

#include <memory>

namespace attention::gui {

class ReachView final : public ViewPane {
public:
  ReachView();
  ~ReachView() override;

  void draw(const ViewContext& context) override;
  void leave() override;
  float leastHeight(const ViewContext& context) const override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace attention::gui
