// Where windows open on the available screens, and which scale of type is accepted from a desktop.
#include "app/gui/platform/monitor.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

namespace attention::gui {
namespace {

const std::vector<ScreenArea> kTwo{{0, 0, 1920, 1080}, {1920, 200, 1024, 768}};

TEST_CASE("A window that lies on a screen stays where it is", "[monitor]") {
  const ScreenArea window{100, 50, 1440, 900};
  CHECK(fitted(window, kTwo) == window);
  const ScreenArea right{2000, 250, 800, 600};
  CHECK(fitted(right, kTwo) == right);
}

TEST_CASE("A window is made no larger than its screen", "[monitor]") {
  const std::vector<ScreenArea> projector{{0, 24, 1024, 744}};
  CHECK(fitted({0, 0, 1440, 900}, projector) == ScreenArea{0, 24, 1024, 744});
  CHECK(fitted({1930, 220, 1440, 900}, kTwo) == ScreenArea{1920, 200, 1024, 768});
}

TEST_CASE("A window on a screen that is gone comes back onto the first", "[monitor]") {
  const std::vector<ScreenArea> one{{0, 0, 1920, 1080}};
  CHECK(fitted({2000, 250, 800, 600}, one) == ScreenArea{1120, 250, 800, 600});
  CHECK(fitted({-4000, -4000, 800, 600}, one) == ScreenArea{0, 0, 800, 600});
  CHECK(fitted({1 << 20, 1 << 20, 16384, 16384}, one) == ScreenArea{0, 0, 1920, 1080});
}

TEST_CASE("A window half beyond the edge moves onto the screen that shows most of it",
          "[monitor]") {
  CHECK(fitted({1700, 300, 1000, 600}, kTwo) == ScreenArea{1920, 300, 1000, 600});
  CHECK(fitted({1200, 300, 1000, 600}, kTwo) == ScreenArea{920, 300, 1000, 600});
}

TEST_CASE("Without screens a window does not change", "[monitor]") {
  const ScreenArea window{5, 6, 7, 8};
  CHECK(fitted(window, {}) == window);
}

TEST_CASE("A second window finds the screen on which the first one is not", "[monitor]") {
  CHECK(otherArea({0, 0, 1920, 1080}, kTwo) == kTwo[1]);
  CHECK(otherArea({1920, 200, 1024, 768}, kTwo) == kTwo[0]);
  CHECK_FALSE(otherArea({1700, 300, 1000, 600}, kTwo)); // over both
  CHECK_FALSE(otherArea({0, 0, 1920, 1080}, std::vector<ScreenArea>{kTwo[0]}));
  CHECK_FALSE(otherArea({0, 0, 800, 600}, std::vector<ScreenArea>{kTwo[0], kTwo[0]})); // mirrored
  CHECK_FALSE(otherArea({0, 0, 800, 600}, {}));
}

TEST_CASE("A scale at which no text could be read is ignored", "[monitor]") {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (const float nonsense : {0.0F, -1.0F, 0.01F, 40.0F, kInfinite, -kInfinite, std::nanf("")})
    CHECK(saneScale(nonsense) == 1);
  for (const float scale : {0.5F, 1.0F, 1.25F, 2.0F, 4.0F})
    CHECK(saneScale(scale) == scale);
}

TEST_CASE("A window keeps its size from one start to the next at every scale", "[monitor]") {
  for (const float scale : {0.5F, 1.0F, 1.25F, 1.5F, 2.0F, 3.0F})
    for (const int length : {700, 900, 1440, 2881}) {
      const int opened = scaledLength(length, scale);
      CHECK(std::abs(static_cast<float>(opened) - static_cast<float>(length) * scale) <= 0.5F);
      const int kept = unscaledLength(static_cast<float>(opened), scale);
      CHECK(scaledLength(kept, scale) == opened);
    }
  CHECK(scaledLength(1440, 2) == 2880);
}

} // namespace
} // namespace attention::gui
