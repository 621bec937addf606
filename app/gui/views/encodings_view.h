// The Encodings view: the tables E1 and E2 as heat maps, the grid of positions and the encoding
// that they make. The chosen position, and the one under the pointer, is traced through all of
// them.
#pragma once

#include "app/gui/view/view.h"

#include <memory>

namespace attention::gui {

class EncodingsView final : public ViewPane {
public:
  EncodingsView();
  ~EncodingsView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace attention::gui
