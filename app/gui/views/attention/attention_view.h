// The Attention view: its pictures, chosen by tabs.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>
#include <vector>

namespace attention::gui {

class ViewStages;

class AttentionView final : public ViewPane {
public:
  AttentionView();

  void draw(const ViewContext& context) override;
  void follow(const ViewMotion& motion) override { motion_ = motion; }
  bool moves() const override { return moves_; }
  void leave() override;
  float leastHeight(const ViewContext& context) const override;

private:
  std::vector<std::unique_ptr<ViewPane>> panes_; // one for each kind of picture
  ViewMotion motion_;
  bool moves_ = false;
};

std::unique_ptr<ViewStages> attentionStages(Results& results);

} // namespace attention::gui
