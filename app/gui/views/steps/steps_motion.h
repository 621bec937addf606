// Which steps of one computation the Steps picture is between.
#pragma once

#include "app/gui/interface/view.h"
#include "core/views/steps/scene_steps.h"

#include <memory>
#include <optional>

namespace attention::gui {

class StepsMotion {
public:
  // Once per frame, and before that step of `steps` is drawn.
  void follow(const ViewMotion& motion);
  void show(const std::shared_ptr<const SceneSteps>& steps, Index step);
  // The step that the picture comes from, while it goes to that one, and how far it has come; other
  // numbers are not followed.
  const std::optional<Index>& before() const { return before_; }
  float share() const { return motion_.share; }

private:
  ViewMotion motion_;
  std::shared_ptr<const SceneSteps> steps_; // of the last frame, as the next
  Index step_ = 0;
  Index last_ = 0; // the step that was shown when the change came
  std::optional<Index> before_;
};

} // namespace attention::gui
