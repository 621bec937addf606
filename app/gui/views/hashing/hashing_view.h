// The Choosing view: scores of blocks, what was chosen by them and the mask that results, query by
// query; a cache step by step; what a budget keeps; tokens that fly into the order of their groups,
// with the matrix before and after and what is captured below; large matrices with each round on
// its own; what is captured against rounds or clusters; points on a circle.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>
#include <optional>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class HashingView final : public ViewPane {
public:
  HashingView();
  ~HashingView() override;

  void draw(const ViewContext& context) override;
  void leave() override;
  float leastHeight(const ViewContext& context) const override;
  // Below the sentence that says that the picture has nothing to show of the Scene's pattern.
  std::optional<Rect> roomForOffers() const override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> hashingStages(Results& results);
void drawHashingOptions(const PanelContext& context); // round, colours, curves, circle
void drawHashingFacts(const PanelContext& context);   // the token, the groups, words and formulas
// Where the mathematics of its pictures comes from.
std::string hashingSource(const Scene& scene); // empty except for the circle

} // namespace attention::gui
