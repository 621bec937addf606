#include "app/gui/views/steps/steps_motion.h"

#include <utility>

namespace attention::gui {

void StepsMotion::follow(const ViewMotion& motion) {
  if (motion.change != motion_.change)
    last_ = step_;
  motion_ = motion;
}

void StepsMotion::show(const std::shared_ptr<const SceneSteps>& steps, Index step) {
  const bool same = std::exchange(steps_, steps) == steps;
  step_ = step;
  if (!same || motion_.share >= 1)
    last_ = step;
  before_ = last_ == step ? std::nullopt : std::optional(last_);
}

} // namespace attention::gui
