// From one picture to the next in a window that moves.
#include "app/gui/views/steps/steps_motion.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/views/mask/cell_motion.h"
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
  bool shows(const std::string& address) { return app_.log().find(address) != nullptr; }
  // Of the last frame.
  std::vector<std::uint32_t> matrix() {
    const Widget* mask = app_.log().find("View/Mask");
    REQUIRE(mask);
    return pixelsIn(mask->rect);
  }
  std::vector<std::uint32_t> pixelsIn(const Rect& rect) {
    std::vector<std::uint32_t> colors;
    for (int y = static_cast<int>(rect.y0) + 2; y < static_cast<int>(rect.y1) - 2; ++y)
      for (int x = static_cast<int>(rect.x0) + 2; x < static_cast<int>(rect.x1) - 2; ++x) {
        const std::uint8_t* at = picture_.at(x, y);
        colors.push_back(at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16);
      }
    return colors;
  }

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

// Pixels that look the same before and after, but differ halfway.
std::size_t crossed(MovingWindow& window, const std::function<void(Scene&)>& change) {
  const auto before = window.matrix();
  window.edit(change);
  window.frames(9);
  REQUIRE(window.fades());
  const auto halfway = window.matrix();
  window.frames(20);
  REQUIRE_FALSE(window.fades());
  const auto after = window.matrix();
  std::size_t count = 0;
  for (std::size_t k = 0; k < before.size(); ++k)
    count += before[k] == after[k] && halfway[k] != before[k] ? 1U : 0U;
  return count;
}

TEST_CASE("Cells of few tokens slide along their rows, and pictures of many fade", "[fade]") {
  MovingWindow window;
  window.edit([](Scene& s) { s.pattern = Strided{8}; });
  window.frames(40);
  CHECK(crossed(window, [](Scene& s) { s.pattern = Strided{12}; }) > 1000);
  window.edit([](Scene& s) { s.length.n = kMostMovingTokens + 1; });
  window.frames(40);
  CHECK(crossed(window, [](Scene& s) { s.pattern = Strided{8}; }) == 0);
}

TEST_CASE("After the motion the picture is that of a window without motion", "[fade]") {
  MovingWindow window;
  window.edit([](Scene& s) { s.pattern = Strided{8}; });
  window.frames(40);
  UiState still;
  still.motion = false;
  MovingWindow other(still);
  other.edit([](Scene& s) { s.pattern = Strided{8}; });
  other.frames(5);
  CHECK(window.matrix() == other.matrix());
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

TEST_CASE("Steps of one computation are followed, and no others", "[fade]") {
  const auto steps = std::make_shared<const SceneSteps>(StepsAnswer());
  StepsMotion motion;
  const auto frame = [&](const ViewMotion& now, const auto& of, Index step) {
    motion.follow(now);
    motion.show(of, step);
    return motion.before();
  };
  CHECK_FALSE(frame({0, 1}, steps, 2));
  CHECK_FALSE(frame({1, 0}, steps, 2)); // the change came, and its picture is not there yet
  CHECK(frame({1, 0.25F}, steps, 3) == 2);
  CHECK(frame({1, 0.5F}, steps, 3) == 2);
  CHECK_FALSE(frame({1, 1}, steps, 3));
  CHECK(frame({2, 0.5F}, steps, 1) == 3);
  const auto others = std::make_shared<const SceneSteps>(StepsAnswer());
  CHECK_FALSE(frame({3, 0.5F}, others, 2));
}

TEST_CASE("A matrix of steps comes out of the one before it and goes back", "[fade]") {
  const auto matrices = [](Scene& s) {
    s.view = View::Attention;
    s.input.source = exampleOfTyped();
    s.length = {};
    s.pattern = Causal{};
    s.attention.picture = AttentionPicture::Steps;
    s.attention.steps.whole = true;
    s.attention.steps.step = 1;
  };
  constexpr Rect kMiddle{330, 60, 850, 700}; // in the view, of a window of 1200 × 800
  MovingWindow window;
  window.edit(matrices);
  window.frames(60);
  REQUIRE(window.shows("View/Matrix 1"));
  const auto alone = window.pixelsIn(kMiddle);
  const auto step = [&](Index to) {
    window.edit([to](Scene& s) { s.attention.steps.step = to; });
    window.frames(9);
    REQUIRE(window.fades());
    CHECK_FALSE(window.shows("View/Matrix 2")); // it is on its way, and nothing to click on
    const auto halfway = window.pixelsIn(kMiddle);
    window.frames(30);
    REQUIRE_FALSE(window.fades());
    CHECK(halfway != window.pixelsIn(kMiddle));
    return halfway;
  };
  CHECK(step(2) != alone);
  CHECK(window.shows("View/Matrix 2"));
  CHECK(step(1) != alone);
  CHECK(window.pixelsIn(kMiddle) == alone);
}

} // namespace
} // namespace attention::gui
