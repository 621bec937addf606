// Controls are used by scripts: one that no script touches is one that nobody has seen work.
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

// Presses every control that is on the screen and was not used yet, by its address; what opens or
// folds something away is pressed by the script of its own below.
std::vector<std::string> controlsToPress(TestWindow& window, const std::string& scope,
                                         const std::set<std::string>& except) {
  std::vector<std::string> addresses;
  for (const std::string& address : window.app().log().unused())
    if (address.rfind(scope, 0) == 0 && except.count(address) == 0)
      addresses.push_back(address);
  return addresses;
}

void pressAll(TestWindow& window, const std::string& scope, const std::set<std::string>& except) {
  for (int round = 0; round < 6; ++round) {
    const auto addresses = controlsToPress(window, scope, except);
    if (addresses.empty())
      return;
    for (const std::string& address : addresses) {
      const Widget* widget = window.app().log().find(address);
      if (!widget || !widget->enabled)
        continue;
      if (widget->kind == WidgetKind::Field)
        window.play("click \"" + address + "\"\ntype \"1\"\nkey Esc\nframes 2\n");
      else if (widget->kind == WidgetKind::Slider)
        window.play("drag \"" + address + "\" 4 0\nframes 2\n");
      else
        window.play("click \"" + address + "\"\nframes 2\n");
      // Whatever it opened is closed again, and the pattern stays the one that is looked at.
      if (isOpen(window.bench().overlay))
        window.play("key Esc\nframes 2\n");
    }
  }
}

std::string listed(const std::vector<std::string>& addresses) {
  std::string text;
  for (const std::string& address : addresses)
    text += "\n  " + address;
  return text;
}

// Every pattern, graphs once a kind since each kind has parameters of its own. Operands of
// compositions show the controls of other patterns.
std::vector<Pattern> patternsToPress() {
  std::vector<Pattern> patterns;
  for (const Pattern& pattern : allMechanisms()) {
    const std::string& name = description(pattern).name;
    if (name != "compose" && name != "graph")
      patterns.push_back(pattern);
  }
  for (const Choice& kind : parameterNamed(patternNamed("graph"), "kind").choices) {
    Pattern graph = patternNamed("graph");
    set(graph, "kind", Value(kind.value));
    patterns.push_back(graph);
  }
  return patterns;
}

TEST_CASE("Every control of the parameters of every pattern is used by a script", "[shell]") {
  // Shown for a moment only: alignment while a number of queries is typed, and the links that take
  // back a grid's shape until the next press changes the kind of graph.
  const std::set<std::string> passing{
      "Sidebar/Parameters/align/top left", "Sidebar/Parameters/align/bottom right",
      "Sidebar/Parameters/cols/snap √n", "Sidebar/Parameters/rows/default"};
  TestWindow window(smallScene(), {}, {}, 1024, 640);
  for (const Pattern& pattern : patternsToPress()) {
    Scene scene = smallScene();
    scene.pattern = pattern;
    window.bench().document.open(scene, "next");
    window.settle();
    pressAll(window, "Sidebar/Parameters", passing);
  }
  const auto left = controlsToPress(window, "Sidebar/Parameters", passing);
  INFO("never used by a script:" << listed(left));
  CHECK(left.empty());
}

TEST_CASE("Overlays and folds and view options and panels answer a script", "[shell]") {
  TestWindow window(defaultScene());
  window.play(
      // Overlays.
      "key G\nwait\nclick \"Gallery/search\"\ntype \"local\"\nframes 2\nkey Ctrl+A\nkey Backspace\n"
      "frames 2\nclick \"Gallery/Close\"\nframes 2\n"
      "key Ctrl+K\nframes 3\nclick \"Palette/search\"\ntype \"causal\"\nframes 2\nkey Esc\n"
      "frames 3\n"
      "key ?\nframes 3\nclick \"Keys/Close\"\nframes 2\n"
      "key Ctrl+O\nframes 3\nclick \"File dialog/all files\"\nclick \"File dialog/folder above\"\n"
      "frames 2\nclick \"File dialog/file name\"\ntype \"x\"\nframes 2\n"
      "click \"File dialog/Open\"\nframes 2\nclick \"File dialog/Cancel\"\nframes 2\n"
      // Tabs, views, folds.
      "click \"Figures\"\nframes 3\nclick \"Patterns\"\nframes 3\n"
      "click \"Fold sidebar\"\nframes 2\nclick \"Fold sidebar\"\nframes 2\n"
      "click \"Fold inspector\"\nframes 2\nclick \"Fold inspector\"\nframes 2\n"
      "click \"Menu/Mask\"\nframes 2\n"
      "click \"heads\"\nwait\nclick \"merged\"\nwait\ndrag \"number of heads\" 20 0\n"
      "click \"by turns\"\nwait\nclick \"side by side\"\nwait\nclick \"heads\"\nwait\n"
      "click \"image\"\nwait\nclick \"image rows\"\ntype \"9\"\nkey Enter\nframes 2\n"
      "click \"image\"\nwait\nclick \"weights\"\nwait\nclick \"sum\"\nwait\nclick "
      "\"maximum\"\nwait\n"
      "click \"weights\"\nwait\n");
  pressAll(window, "Sidebar", {});
  pressAll(window, "Inspector", {});
  pressAll(window, "View", {});
  for (const char* menu : {"File", "Edit", "View", "Help"}) {
    window.play("click \"Menu/" + std::string(menu) + "\"\nframes 3\nkey Esc\nframes 3\n");
    CHECK(window.app().log().used().count("Menu/" + std::string(menu)) == 1);
  }
}

TEST_CASE("Every entry of the menus runs or is told to be disabled", "[shell]") {
  TestWindow probe;
  std::vector<std::pair<std::string, std::string>> entries;
  for (const ActionEntry& action : probe.bench().actions.entries())
    if (!action.menu.empty() && action.id != "file.quit" && action.isEnabled(probe.bench()))
      entries.emplace_back(action.menu, action.label);
  TestWindow window(smallScene(), {}, {}, 1024, 640);
  for (const auto& [menu, label] : entries) {
    window.play("click \"Menu/" + menu + "\"\nframes 2\nclick \"" + menu + "/" + label +
                "\"\nframes 2\n");
    CHECK(window.app().log().used().count("Menu/" + menu + "/" + label) == 1);
    if (isOpen(window.bench().overlay))
      window.play("key Esc\nframes 2\n");
    window.bench().ui = UiState();
  }
}

} // namespace
} // namespace attention::gui
