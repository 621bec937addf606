// The Attention view: weights of one model head as matrices side by side with what each query
// keeps, all heads small, or lines between tokens, chosen by tabs. One cell is pointed at in all
// matrices at once, and they share the camera.
#pragma once

#include "app/gui/view/view.h"

#include <memory>

namespace attention::gui {

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

} // namespace attention::gui
