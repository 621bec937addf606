// What the window lets go of: an input that is shown nowhere any more is not held by any result.
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

TEST_CASE("An input that was shown in every view is given back where another is opened",
          "[shell]") {
  Scene scene = smallScene();
  RandomInput random;
  random.n = 24;
  random.d = 8;
  scene.input.source = random;
  scene.length = LengthSpec();
  TestWindow window(scene);
  window.play("key G\nframes 3\nwait\nkey Escape\nframes 3\n"); // patterns of the data in small
  scene.kernels.loaded = true;
  Lsh lsh; // groups the input's tokens
  lsh.buckets = IndexList({4});
  lsh.chunk = 6;
  scene.pattern = lsh;
  std::weak_ptr<const Input> shown;
  for (int view = 0; view < 8; ++view) {
    scene.view = static_cast<View>(view);
    window.bench().document.open(scene, "view");
    window.settle();
    if (window.results().input)
      shown = window.results().input.value;
  }
  REQUIRE_FALSE(shown.expired());
  for (int view = 0; view < 8; ++view) {
    Scene other = smallScene();
    other.view = static_cast<View>(view);
    window.bench().document.open(other, "another");
    window.settle();
  }
  window.play("frames 3\n");
  CHECK(shown.expired());
}

} // namespace
} // namespace attention::gui
