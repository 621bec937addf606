#include "app/gui/frame/default_scene.h"

#include "core/pattern/mechanism/strided.h"

namespace attention::gui {

Scene defaultScene() {
  Scene scene;
  scene.pattern = Strided{};
  scene.input.source = AssetInput{"minilm_alice"};
  scene.input.batch = 2;
  scene.input.head = 3;
  // A pinned cell shows at once what the inspector explains.
  scene.pins = {Index{97}, Index{61}};
  scene.hashing.circle.seed = 1; // near points meet in all three rounds, far ones in none
  return scene;
}

} // namespace attention::gui
