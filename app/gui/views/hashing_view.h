// The Hashing view: tokens that fly into the order of their groups, with the matrix before and
// after and what is captured below; matrices large with each round on its own; what is captured
// against rounds or clusters; points on a circle.
#pragma once

#include "app/gui/view/view.h"

#include <memory>
#include <optional>

namespace attention::gui {

class HashingView final : public ViewPane {
public:
  HashingView();
  ~HashingView() override;

  void draw(const ViewContext& context) override;
  void leave() override;
  float leastHeight(const ViewContext& context) const override;
  // Below the words that say that the Scene's pattern groups no tokens.
  std::optional<Rect> roomForOffers() const override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace attention::gui
