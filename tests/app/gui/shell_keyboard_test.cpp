// The window with only the keyboard: Tab reaches every control from anywhere and shows where it is,
// and every kind of control answers to keys.
#include "app/gui/widgets/widget_log.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

std::string addressOf(const Widget& widget) {
  return widget.scope.empty() ? widget.label : widget.scope + "/" + widget.label;
}

// The address of what has the keyboard focus; empty if nothing has.
std::string focused(TestWindow& window) {
  for (const Widget& widget : window.app().log().widgets())
    if (widget.focused)
      return addressOf(widget);
  return {};
}

// Presses Tab until the control has the focus.
void tabTo(TestWindow& window, const std::string& address) {
  for (int k = 0; k < 150; ++k) {
    const Widget* widget = window.app().log().find(address);
    if (widget && widget->focused)
      return;
    window.play("key Tab\nframes 2\n");
  }
  FAIL_CHECK(address << " was not reached; the keyboard is at " << focused(window));
}

Widget control(std::uint32_t id, const char* scope, bool enabled = true) {
  Widget widget;
  widget.kind = WidgetKind::Button;
  widget.id = id;
  widget.scope = scope;
  widget.enabled = enabled;
  return widget;
}

TEST_CASE("Controls are in the order of their regions and wrap around at the ends", "[shell]") {
  const std::vector<Widget> widgets{control(5, "Menu"),           control(6, "Inspector/Export"),
                                    control(7, "Sidebar", false), control(8, "Sidebar/Input"),
                                    control(0, "Sidebar"),        control(9, "View")};
  CHECK(nextInTabOrder(widgets, 0, 1) == 5);
  CHECK(nextInTabOrder(widgets, 0, -1) == 6);
  CHECK(nextInTabOrder(widgets, 5, 1) == 8);
  CHECK(nextInTabOrder(widgets, 8, 1) == 9);
  CHECK(nextInTabOrder(widgets, 9, 1) == 6);
  CHECK(nextInTabOrder(widgets, 6, 1) == 5);
  CHECK(nextInTabOrder(widgets, 5, -1) == 6);
  CHECK(nextInTabOrder(widgets, 8, 1, "Inspector") == 6);
  CHECK(nextInTabOrder(widgets, 8, 1, "Gallery") == 0);
}

TEST_CASE("Tab goes round all controls of the window and back", "[shell]") {
  TestWindow window;
  std::set<std::string> wanted;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.kind != WidgetKind::Text && widget.enabled)
      wanted.insert(addressOf(widget));
  std::set<std::string> reached;
  std::vector<std::string> way;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    window.play("key Tab\nframes 2\n");
    way.push_back(focused(window));
    reached.insert(way.back());
  }
  CHECK(reached == wanted);
  window.play("key Tab\nframes 2\n");
  CHECK(focused(window) == way.front());
  window.play("key Shift+Tab\nframes 2\n");
  CHECK(focused(window) == way.back());
  window.play("key Shift+Tab\nframes 2\n");
  CHECK(focused(window) == way[way.size() - 2]);
}

TEST_CASE("A slider moves by arrows and takes a number after Enter", "[shell]") {
  TestWindow window;
  const auto stride = [&] { return window.scene().pattern.as<Strided>()->stride; };
  tabTo(window, "stride ℓ");
  window.play("check \"stride ℓ\" focused\nkey Right\nframes 2\n");
  REQUIRE(stride().has_value());
  const Index moved = *stride();
  CHECK(moved > 8);
  window.play("key Left\nframes 2\n");
  CHECK(*stride() < moved);
  window.play("key Enter\nframes 2\nkey Ctrl+A\ntype \"21\"\nkey Enter\nframes 3\n"
              "check scene.pattern.params.stride == 21\n");
  window.play("key Tab\nframes 2\nkey Ctrl+Z\nframes 3\n");
  CHECK(stride() != Index{21});
}

TEST_CASE("Segments, check boxes and fields answer to the keyboard", "[shell]") {
  TestWindow window;
  tabTo(window, "factor/A¹");
  window.play("key Enter\nframes 3\ncheck scene.pattern.params.head == \"1\"\n");
  tabTo(window, "factor/A²");
  window.play("key Space\nframes 3\ncheck scene.pattern.params.head == \"2\"\n");
  tabTo(window, "causal (j ≤ i)");
  window.play("key Space\nframes 3\ncheck scene.pattern.params.causal == false\nkey Enter\n"
              "frames 3\ncheck \"causal (j ≤ i)\" checked\n");
  tabTo(window, "queries");
  window.play("type \"20\"\nkey Tab\nframes 3\ncheck scene.length.queries == 20\n");
  window.play("set \"Parameters/queries\" \"-1\"\nframes 3\ncheck scene.length.queries == 20\n");
  CHECK(window.says("queries is -1; it must be an integer of at least 1"));
}

TEST_CASE("Undo in a field goes back no further than its text", "[shell]") {
  TestWindow window;
  const std::string open = "click \"Inspector/Export/TikZ\"\nframes 3\n";
  window.play(open);
  const auto name = [&] {
    const Widget* field = window.app().log().find("File dialog/file name");
    return field ? field->value : "";
  };
  const std::string suggested = name();
  REQUIRE_FALSE(suggested.empty());
  window.play("key Ctrl+A\ntype \"" + std::string(80, 'a') + "\"\nframes 2\n" +
              "click \"Cancel\"\nframes 3\n" + open + "key Ctrl+Z\nframes 3\n");
  CHECK(name() == suggested); // and it reaches no further than its end
}

TEST_CASE("Undo in a slider goes back no further than its number", "[shell]") {
  TestWindow window;
  window.play("set \"length n\" \"4096\"\nframes 3\n");
  window.bench().document.apply({"length", [](Scene& s) { s.length.n = 8; }});
  window.play("frames 2\nctrl-click \"length n\"\nframes 2\nkey End\nkey Ctrl+Z\nkey Ctrl+Z\n"
              "frames 2\nkey Enter\nframes 3\ncheck scene.length.n == 8\n");
}

TEST_CASE("Buttons, links and tabs are pressed by Enter and Space", "[shell]") {
  TestWindow window;
  tabTo(window, "Copy command");
  window.play("key Enter\nwait\nframes 3\n");
  CHECK(window.host().clipboard().find("strided") != std::string::npos);
  tabTo(window, "Sidebar/Figures");
  window.play("key Space\nframes 3\n");
  CHECK(window.bench().ui.tab == SidebarTab::Figures);
  tabTo(window, "Input/Random…");
  window.play("key Enter\nwait\ncheck \"Random/seed\" exists\n");
  tabTo(window, "Random/kind");
  window.play("key Enter\nframes 3\ncheck \"kind/Periodic\" exists\nkey Esc\nframes 3\n");
}

TEST_CASE("Arrows move the pins once Tab has reached the view", "[shell]") {
  TestWindow window;
  tabTo(window, "View/Mask");
  window.bench().document.setPins({Index{30}, Index{20}});
  window.play("key Down\nframes 2\nkey Right\nframes 2\nkey Shift+Up\nframes 2\n"
              "check scene.pins.query == 21\ncheck scene.pins.key == 21\n"
              "check \"View/Mask\" focused\n");
}

TEST_CASE("Menus are opened and run by the keyboard", "[shell]") {
  TestWindow window;
  tabTo(window, "Menu/View");
  window.play("key Enter\nframes 3\ncheck \"View/Light or dark theme\" exists\nkey Esc\nframes 3\n"
              "check \"View/Light or dark theme\" missing\n");
}

TEST_CASE("Animations are started, stopped and stepped with only the keyboard", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Reach;
  scene.pins.query = 20;
  scene.reach.layers = 4;
  TestWindow window(scene);
  tabTo(window, "View/▶ Play");
  window.play("key Space\nframes 2\n");
  CHECK(window.bench().playing);
  CHECK(focused(window) == "View/❚❚ Pause");
  window.play("key Enter\nframes 2\n");
  CHECK_FALSE(window.bench().playing);
  tabTo(window, "View/step");
  const std::optional<Index> before = window.scene().reach.shown;
  window.play("key Enter\nframes 3\n");
  REQUIRE(before);
  CHECK(window.scene().reach.shown == *before + 1);
}

TEST_CASE("In an overlay Tab stays inside", "[shell]") {
  TestWindow window;
  window.play("key G\nwait\n");
  for (int k = 0; k < 60; ++k) {
    window.play("key Tab\nframes 2\n");
    REQUIRE(focused(window).rfind("Gallery/", 0) == 0);
  }
  tabTo(window, "Gallery/Fixed");
  window.play("key Enter\nframes 3\ncheck scene.pattern.mechanism == \"fixed\"\n"
              "check \"Gallery/search\" missing\n");
}

TEST_CASE("Tab scrolls what it reaches into sight", "[shell]") {
  TestWindow window(smallScene(), {}, {}, 1024, 640);
  window.play("click \"Input/Random…\"\nwait\n");
  tabTo(window, "View options/weights");
  const Widget* weights = window.app().log().find("View options/weights");
  REQUIRE(weights);
  window.play("frames 3\n");
  CHECK(window.app().log().find("View options/weights")->visible);
}

} // namespace
} // namespace attention::gui
