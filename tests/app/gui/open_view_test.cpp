// What a view begins with when it is opened: Reach with so few tokens that its layers can be told
// apart, all others with the input's again.
#include "app/gui/run_gui.h"
#include "core/export/embedded_scene.h"
#include "core/support/error.h"
#include "tests/app/gui/shell_window.h"

#include <fstream>
#include <iostream>
#include <sstream>

namespace attention::gui {
namespace {

void open(TestWindow& window, const std::string& keys) {
  window.play("key " + keys + "\nwait\nframes 3\n");
}

TEST_CASE("Reach opens with few tokens, and other views have the input's again", "[shell]") {
  TestWindow window(defaultScene());
  const Scene before = window.scene();
  open(window, "2");
  CHECK(window.scene().length.n == 24);
  CHECK(window.results().lengths.keys == 24);
  CHECK(window.says("What token 20 sees through 4 layers"));
  CHECK(window.says("A shortest path 20 → 8"));
  CHECK(window.shows("View/Layers"));
  for (const char* other : {"1", "3"}) {
    open(window, other);
    CHECK_FALSE(window.scene().length.n);
    CHECK(window.scene().pins == before.pins);
    open(window, "2");
    CHECK(window.scene().length.n == 24);
  }
  open(window, "1");
  CHECK(window.scene() == before);
  open(window, "Ctrl+Z"); // back in Reach, and out of it once more
  CHECK(window.scene().length.n == 24);
  open(window, "1");
  CHECK_FALSE(window.scene().length.n);
}

TEST_CASE("Reach leaves a length that somebody has chosen", "[shell]") {
  Scene scene = defaultScene();
  scene.length.n = 100;
  TestWindow window(scene);
  open(window, "2");
  CHECK(window.scene().length.n == 100);
  CHECK(window.scene().pins == scene.pins);
  open(window, "1");
  CHECK(window.scene().length.n == 100);
  window.play("set \"length n\" 144\nwait\nkey 2\nwait\nset \"length n\" 30\nwait\nframes 3\n");
  open(window, "1"); // chosen in Reach
  CHECK(window.scene().length.n == 30);
}

TEST_CASE("Tokens that are chosen in Reach stay chosen", "[shell]") {
  TestWindow window(defaultScene());
  open(window, "2");
  window.bench().document.setPins({Index{11}, Index{3}});
  window.bench().document.apply({"head", [](Scene& s) { s.input.head = 1; }});
  window.settle();
  open(window, "1");
  CHECK_FALSE(window.scene().length.n);
  CHECK(window.scene().pins == Pins{11, 3});
}

TEST_CASE("An input of few tokens is whole in Reach", "[shell]") {
  Scene scene = smallScene();
  RandomInput random;
  random.n = 20;
  random.d = 4;
  scene.input.source = random;
  scene.length = {};
  TestWindow window(scene);
  open(window, "2");
  CHECK_FALSE(window.scene().length.n);
}

TEST_CASE("The command line opens views as their tabs do", "[shell]") {
  const TemporaryFolder folder;
  GuiOptions options;
  options.screenshot = folder / "reach.png";
  options.view = View::Reach;
  REQUIRE(runGui(options) == 0);
  const Scene shown = sceneOfPicture(folder / "reach.png").scene;
  CHECK(shown.length.n == 24);
  CHECK(shown.pins == Pins{20, 8});
  options.scene = folder / "saved.json"; // which is shown as it was saved
  writeScene(defaultScene(), options.scene);
  REQUIRE(runGui(options) == 0);
  CHECK_FALSE(sceneOfPicture(folder / "reach.png").scene.length.n);
}

// What is written to standard error meanwhile.
class HeardErrors {
public:
  HeardErrors() : terminal_(std::cerr.rdbuf(heard_.rdbuf())) {}
  ~HeardErrors() { std::cerr.rdbuf(terminal_); }
  HeardErrors(const HeardErrors&) = delete;
  HeardErrors& operator=(const HeardErrors&) = delete;
  std::string text() const { return heard_.str(); }

private:
  std::ostringstream heard_;
  std::streambuf* terminal_;
};

TEST_CASE("The command line names what of a scene it leaves out", "[shell]") {
  const TemporaryFolder folder;
  GuiOptions options;
  options.screenshot = folder / "picture.png";
  options.scene = folder / "scene.json";
  std::ofstream(options.scene) << R"({"type": "attention-explorer scene", "version": 1, "n": 64})";
  const std::string warning = options.scene.string() + ": n is not known and was left out";
  {
    const HeardErrors said;
    CHECK(runGui(options) == 0);
    CHECK(said.text() == "attnx: note: " + warning + "\n");
  }
  TestWindow window(defaultScene()); // where it is opened later
  window.play("drop \"" + options.scene.string() + "\"\nwait\nframes 3\n");
  CHECK(window.says(warning));
}

TEST_CASE("The command line opens a file as if it were dropped on the window", "[shell]") {
  const TemporaryFolder folder;
  Scene saved = defaultScene();
  saved.view = View::Reach;
  saved.length.n = 40;
  writeScene(saved, folder / "saved.json");
  GuiOptions options;
  options.screenshot = folder / "picture.png";
  options.files = {folder / "saved.json"};
  REQUIRE(runGui(options) == 0);
  const Scene shown = sceneOfPicture(options.screenshot).scene;
  CHECK(shown.view == View::Reach);
  CHECK(shown.length.n == 40);
  options.files = {folder / "none.json"};
  CHECK_THROWS_AS(runGui(options), Error);
}

} // namespace
} // namespace attention::gui
