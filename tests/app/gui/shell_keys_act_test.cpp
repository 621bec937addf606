// What the pointer presses, the keyboard presses too: every button, toggle, link, tab, item and
// menu of every view, reached by Tab and pressed by Enter, does what a click does, and does
// something.
#include "app/gui/interface/window_view.h"
#include "tests/app/gui/control_tally.h"

namespace attention::gui {
namespace {

Scene sceneOf(View view) {
  Scene scene = smallScene();
  RandomInput random;
  random.n = 64;
  random.d = 8;
  random.heads = 2;
  scene.input.source = random;
  scene.view = view;
  scene.pins = {20, 10};
  scene.timings.to = scene.timings.from;
  return scene;
}

// Pressed once, without a value or a place of the press.
bool isPressed(const Widget& widget) {
  switch (widget.kind) {
  case WidgetKind::Slider:
  case WidgetKind::Field:
  case WidgetKind::Canvas:
  case WidgetKind::MenuItem:
  case WidgetKind::Text:
    return false;
  default:
    return widget.enabled && widget.id != 0;
  }
}

void begin(TestWindow& window, const Scene& scene) {
  Workbench& bench = window.bench();
  bench.present.reset();
  bench.lesson.reset();
  bench.playing = false;
  bench.overlay = {};
  bench.memory = {};
  bench.ui = UiState();
  bench.document = Document(scene);
  window.settle(); // Escape stops jobs
  window.play("move 1439 899\nkey Escape\nkey Escape\nframes 3\n");
  bench.notices.clear();
  window.settle();
}

// What a press may change: the Scene, what plays or is open, and which controls there are.
std::string stateOf(TestWindow& window) {
  Workbench& bench = window.bench();
  std::string state = toText(bench.document.scene());
  state += bench.playing ? " plays" : "";
  state += isOpen(bench.overlay) ? " overlay" : "";
  state += bench.lesson ? " lesson" : "";
  state += bench.present ? " presented" : "";
  for (const Widget& widget : window.app().log().widgets())
    if (widget.kind != WidgetKind::Text)
      state += '\n' + addressOf(widget) + (widget.checked ? " checked" : "");
  return state;
}

bool tabTo(TestWindow& window, const std::string& address) {
  for (int k = 0; k < 200; ++k) {
    const Widget* widget = window.app().log().find(address);
    if (widget && widget->focused)
      return true;
    window.play("key Tab\nframes 2\n");
  }
  return false;
}

TEST_CASE("Enter does what a click does on every control of every view", "[shell]") {
  std::set<std::string> known; // from views before
  for (const WindowView& view : windowViews()) {
    const Scene scene = sceneOf(view.view);
    TestWindow window(scene);
    std::vector<std::pair<std::string, bool>> controls; // and whether they are chosen already
    for (const Widget& widget : window.app().log().widgets())
      if (isPressed(widget) && known.insert(addressOf(widget)).second)
        controls.emplace_back(addressOf(widget), widget.checked);
    CHECK_FALSE(controls.empty());
    for (const auto& [control, chosen] : controls) {
      INFO(view.label << ": " << control);
      begin(window, scene);
      const std::string before = stateOf(window);
      window.play("click " + quoted(control) + "\nmove 1439 899\nwait\n");
      const std::string clicked = stateOf(window);
      const bool pressed = clicked != before;
      CHECK((pressed || chosen || control == "Sidebar/Timings/Measure again"));
      begin(window, scene);
      REQUIRE(tabTo(window, control));
      window.play("key Enter\nwait\n");
      CHECK(stateOf(window) == clicked);
    }
  }
}

} // namespace
} // namespace attention::gui
