// What the window releases: no result holds an input that is shown nowhere, and releasing makes
// nothing be computed again.
#include "app/gui/views/compare/compare_view.h"
#include "core/pattern/mechanism/lsh.h"
#include "tests/app/gui/held_jobs.h"

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
  window.play("key G\nframes 3\nwait\nkey Escape\nframes 3\n"); // small data-dependent patterns
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
  for (const View view : {View::Mask, View::Kernels, View::Timings}) { // Compare is not changed
    Scene other = smallScene();
    other.view = view;
    window.bench().document.open(other, "another");
    window.settle();
  }
  window.play("frames 3\n");
  CHECK(shown.expired());
}

TEST_CASE("A score board that has no input is refused once, not in every frame", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Compare;
  TestWindow window(scene);
  REQUIRE(window.results().part<CompareResults>().scores.problem);
  const auto go = std::make_shared<std::atomic<bool>>(false);
  hold(window, go); // a job for it would wait
  for (int k = 0; k < 3; ++k) {
    window.frame();
    CHECK(window.results().part<CompareResults>().scores.problem);
    CHECK_FALSE(window.results().part<CompareResults>().scores.pending);
  }
  *go = true;
}

TEST_CASE("Small pictures of a theme that was chosen for a moment are no longer waited for",
          "[shell]") {
  TestWindow window;
  window.play("click \"Sidebar/Figures\"\nwait\n");
  const auto go = std::make_shared<std::atomic<bool>>(false);
  hold(window, go);
  for (int k = 0; k < 2; ++k) // to the other theme and back
    window.play("key Ctrl+L\nframes 3\n");
  *go = true;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  do
    window.frame();
  while (window.app().busy() && std::chrono::steady_clock::now() < until);
  CHECK_FALSE(window.app().busy());
}

} // namespace
} // namespace attention::gui
