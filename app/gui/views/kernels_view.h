// The Kernels view: six pictures of attention by features, one large at a time, chosen by tabs; the
// curves of errors with the matrices and normalisers of one estimate small below.
#pragma once

#include "app/gui/view/view.h"

#include <memory>

namespace attention::gui {

class KernelsView final : public ViewPane {
public:
  KernelsView();
  ~KernelsView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace attention::gui
