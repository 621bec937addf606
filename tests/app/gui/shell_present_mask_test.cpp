// What stands beside a presented mask.
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

TEST_CASE("A presented mask has beside it what is to be seen", "[present]") {
  TestWindow window;
  REQUIRE_FALSE(window.results().counts->reading.empty());
  const std::string reading = window.results().counts->reading.front();
  const auto isSaid = [&] {
    for (const Widget& widget : window.app().log().widgets())
      if (widget.scope == "Present" && widget.label.find(reading) != std::string::npos)
        return true;
    return false;
  };
  window.play("key F5\nwait\nframes 4\n");
  CHECK(isSaid());
  // A caption says what a figure shows; the picture then has the whole width.
  window.play("key Esc\nframes 3\n");
  Scene captioned = smallScene();
  captioned.title = "A title";
  captioned.caption = "Words of its own.";
  window.bench().document.open(captioned, "scene");
  window.play("key F5\nwait\nframes 4\n");
  CHECK_FALSE(isSaid());
  CHECK(window.shows("Present/Words of its own."));
}

} // namespace
} // namespace attention::gui
