// The tour of a first start: what it points at, and that it is shown once.
#include "app/gui/overlays/overlays.h"
#include "tests/app/gui/shell_window.h"

#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

bool toursNow(TestWindow& window) {
  return std::holds_alternative<TourState>(window.bench().overlay);
}

bool contains(const Rect& outer, const Rect& inner) {
  return inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 &&
         inner.y1 <= outer.y1;
}

TEST_CASE("The tour is shown at the first start and never again", "[tour]") {
  TestWindow window(smallScene());
  CHECK_FALSE(toursNow(window)); // neither in pictures nor in scripts
  beginTour(window.bench());
  CHECK(toursNow(window));
  window.play("frames 3\nkey Esc\nframes 2\n");
  CHECK_FALSE(toursNow(window));
  beginTour(window.bench());
  CHECK_FALSE(toursNow(window));
  const UiState again = uiStateFromJson(toJson(window.bench().ui));
  CHECK(again.toured);
  CHECK_FALSE(UiState().toured);
  CHECK(uiStateFromJson({{"scale", 1}}).toured); // left by an earlier version
}

TEST_CASE("The tour points at five things within the window", "[tour]") {
  const auto [width, height] = GENERATE(std::pair(1440, 900), std::pair(1024, 640));
  TestWindow window(defaultScene());
  window.play("resize " + std::to_string(width) + " " + std::to_string(height) + "\nframes 3\n");
  window.bench().overlay = TourState{};
  const Rect screen{0, 0, static_cast<float>(width), static_cast<float>(height)};
  const std::vector<const char*> titles{"Choose a pattern", "Drag a number", "Point at a cell",
                                        "Look at it in nine ways", "Follow a lesson"};
  for (std::size_t k = 0; k < titles.size(); ++k) {
    window.play("frames 3\n");
    INFO(titles[k]);
    CHECK(window.says(titles[k]));
    const auto* state = std::get_if<TourState>(&window.bench().overlay);
    REQUIRE(state);
    CHECK(state->stop == k);
    const WidgetLog& log = window.app().log();
    const Widget* title = log.find(titles[k]);
    const Widget* button = log.find(k + 1 < titles.size() ? "Tour/Next" : "Tour/Done");
    REQUIRE(title);
    REQUIRE(button);
    CHECK(contains(screen, title->rect));
    CHECK(contains(screen, button->rect));
    window.play("key Right\n");
  }
  window.play("frames 2\n");
  CHECK_FALSE(toursNow(window));
}

TEST_CASE("Enter goes on before anything has the keyboard", "[tour]") {
  TestWindow window(smallScene());
  window.bench().overlay = TourState{};
  window.play("frames 3\nkey Enter\nframes 2\n");
  CHECK(std::get<TourState>(window.bench().overlay).stop == 1);
  window.play("key Enter\nframes 2\nkey Enter\nframes 2\nkey Enter\nframes 2\n");
  CHECK(std::get<TourState>(window.bench().overlay).stop == 4);
  window.play("key Enter\nframes 2\n");
  CHECK_FALSE(toursNow(window));
}

TEST_CASE("The tour goes back by the left arrow", "[tour]") {
  TestWindow window(smallScene());
  window.bench().overlay = TourState{};
  window.play("frames 3\nkey Right\nframes 2\nkey Right\nframes 2\nkey Left\nframes 2\n");
  CHECK(std::get<TourState>(window.bench().overlay).stop == 1);
  window.play("key Enter\nframes 2\n");
  CHECK(window.says("Point at a cell"));
}

} // namespace
} // namespace attention::gui
