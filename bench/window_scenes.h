// The heaviest Scene of every view: what the window's times are measured with.
#pragma once

#include "core/scene/scene.h"

#include <functional>
#include <string>
#include <vector>

namespace attention::gui {

struct HeavyScene {
  std::string name;
  Scene scene;
  std::function<void(Scene&, Index)> drag; // a parameter at step k of a drag
};

std::vector<HeavyScene> heavyScenes();

} // namespace attention::gui
