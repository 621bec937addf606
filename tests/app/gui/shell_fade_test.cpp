// From one picture to the next in a window that moves.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/local.h"
#include "tests/app/gui/shell_window.h"

#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

Scene localScene() {
  Scene scene = smallScene();
  scene.pattern = Local{4};
  scene.pins = {};
  return scene;
}

// With motion, and painted after each frame as a window is.
class MovingWindow {
public:
  explicit MovingWindow(const UiState& habits = {})
      : host_(Host::headless({"test", 1200, 800, 1, {}})),
        app_({localScene(), habits, {}, {}, {}, Notices::kForever, {}, false, {}, {}, true}) {
    for (int quiet = 0; quiet < 3;) {
      frame();
      quiet = app_.busy() ? 0 : quiet + 1;
    }
  }

  void frame() {
    host_.frame([this](const FrameInfo& info) { app_.frame(info, host_.fonts()); });
    picture_ = host_.pixels();
  }
  void frames(int count) {
    for (int k = 0; k < count; ++k)
      frame();
  }
  void edit(const std::function<void(Scene&)>& change) {
    app_.bench().document.apply({"change", change});
  }

  // The brightness of a cell of 64 × 64, which only the causal pattern has.
  int brightness() {
    const Widget* mask = app_.log().find("View/Mask");
    REQUIRE(mask);
    const auto at = [](float from, float to, float cell) {
      return static_cast<std::size_t>(from + (to - from) * (cell + 0.5F) / 64);
    };
    const std::size_t x = at(mask->rect.x0, mask->rect.x1, 10);
    const std::size_t y = at(mask->rect.y0, mask->rect.y1, 50);
    const std::size_t pixel = 4 * (y * static_cast<std::size_t>(picture_.width) + x);
    return picture_.rgba[pixel] + picture_.rgba[pixel + 1] + picture_.rgba[pixel + 2];
  }
  bool fades() const { return app_.playing(); }

private:
  Host host_;
  Application app_;
  gl::Pixels picture_;
};

TEST_CASE("A new pattern's cells appear within a quarter of a second", "[fade]") {
  MovingWindow window;
  const int before = window.brightness();
  window.edit([](Scene& s) { s.pattern = Causal{}; });
  window.frame();
  CHECK(window.fades());
  const int first = window.brightness();
  window.frames(7);
  const int middle = window.brightness();
  window.frames(20);
  const int after = window.brightness();
  CHECK_FALSE(window.fades());
  REQUIRE(after > before + 60);
  CHECK(first < before + (after - before) / 3);
  CHECK(middle > first);
  CHECK(middle < after);
}

TEST_CASE("A change before the last one has faded is followed at once", "[fade]") {
  MovingWindow window;
  window.edit([](Scene& s) { s.pattern = Local{5}; });
  window.frame();
  CHECK(window.fades());
  window.edit([](Scene& s) { s.pattern = Causal{}; });
  window.frames(3);
  CHECK_FALSE(window.fades());
}

TEST_CASE("Pins and the camera do not fade, and nothing does where motion is off", "[fade]") {
  MovingWindow window;
  window.edit([](Scene& s) { s.pins.query = 12; });
  window.frame();
  CHECK_FALSE(window.fades());
  UiState still;
  still.motion = false;
  MovingWindow other(still);
  other.edit([](Scene& s) { s.pattern = Causal{}; });
  other.frame();
  CHECK_FALSE(other.fades());
  CHECK_FALSE(uiStateFromJson(toJson(still)).motion);
}

} // namespace
} // namespace attention::gui
