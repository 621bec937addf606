// A Scene of Compare on random queries, keys and values.
#pragma once

#include "tests/app/gui/shell_window.h"

namespace attention::gui {

inline Scene comparing(Index n = 32) {
  Scene scene = smallScene();
  scene.view = View::Compare;
  RandomInput random;
  random.n = n;
  random.d = 8;
  scene.input.source = random;
  scene.length = LengthSpec();
  return scene;
}

} // namespace attention::gui
