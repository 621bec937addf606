// The scene of a first start, of screenshots and scripts: strided attention on the bundled sample.
#pragma once

#include "core/scene/scene.h"

namespace attention::gui {

Scene defaultScene();

} // namespace attention::gui
