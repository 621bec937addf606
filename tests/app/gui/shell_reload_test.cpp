// Files that change on the disk while the window shows them.
#include "app/gui/files/file_watch.h"
#include "app/gui/files/opening.h"
#include "core/input/npy_writer.h"
#include "tests/app/gui/shell_window.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace attention::gui {
namespace {

// Two layers of two heads over n tokens.
void writeInput(const std::filesystem::path& file, Index n, double value) {
  std::string csv = "q0,q1,k0,k1,v0\n";
  for (Index i = 0; i < n; ++i)
    csv += std::to_string(i % 3) + ",1,0.5," + std::to_string(value) + ",1\n";
  writeText(file, csv);
}

Scene sceneOf(const std::filesystem::path& file) {
  Scene scene = smallScene();
  scene.length = LengthSpec();
  scene.view = View::Attention;
  FileInput input;
  input.input = file.string();
  scene.input.source = input;
  return scene;
}

// Frames until `holds`, for at most a few seconds.
template <class Holds>
bool becomes(TestWindow& window, const Holds& holds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until)
      return false;
    window.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

TEST_CASE("A changed file is reported and one press reads it again", "[shell]") {
  const TemporaryFolder folder;
  writeInput(folder / "input.csv", 12, 1);
  TestWindow window(sceneOf(folder / "input.csv"));
  REQUIRE(window.results().input);
  const Scene before = window.scene();
  CHECK_FALSE(window.shows("Reload (Ctrl+Shift+R)"));
  writeInput(folder / "input.csv", 15, 2);
  REQUIRE(becomes(window, [&] { return window.shows("Reload (Ctrl+Shift+R)"); }));
  CHECK(window.says("input.csv has changed on disk."));
  CHECK(window.results().input->keys == 12); // until somebody asks
  window.play("click \"View/Reload (Ctrl+Shift+R)\"\nframes 2\nwait\n");
  CHECK(window.results().input->keys == 15);
  CHECK(window.scene() == before); // layer, head and view stay
  CHECK_FALSE(window.shows("Reload (Ctrl+Shift+R)"));
  writeInput(folder / "input.csv", 9, 2);
  REQUIRE(becomes(window, [&] { return window.shows("Reload (Ctrl+Shift+R)"); }));
  window.play("key Ctrl+Shift+R\nframes 2\nwait\n");
  CHECK(window.results().input->keys == 9);
}

// Any of the view's pictures.
std::string pictureNamed(TestWindow& window) {
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "View" && widget.kind == WidgetKind::Canvas)
      return widget.label;
  return "";
}

// The bottom of the lowest picture of the view, and the top of the note below it.
std::pair<float, float> pictureAndNote(TestWindow& window) {
  float lowest = 0;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "View" && widget.kind == WidgetKind::Canvas)
      lowest = std::max(lowest, widget.rect.y1);
  const Widget* press = window.app().log().find("View/Reload (Ctrl+Shift+R)");
  REQUIRE(press);
  return {lowest, press->rect.y0};
}

TEST_CASE("A file that is half written leaves the last good picture on the screen", "[shell]") {
  const TemporaryFolder folder;
  writeInput(folder / "input.csv", 12, 1);
  Scene scene = sceneOf(folder / "input.csv");
  scene.view = GENERATE(View::Attention, View::Mask, View::Compare);
  TestWindow window(scene);
  REQUIRE(window.results().input);
  const auto before = window.results().input.value;
  const auto pictures = [&] {
    std::vector<std::string> all;
    for (const Widget& widget : window.app().log().widgets())
      if (widget.scope == "View" && widget.kind == WidgetKind::Canvas)
        all.push_back(widget.label);
    return all;
  };
  const std::vector<std::string> shown = pictures();
  REQUIRE(!shown.empty());
  writeText(folder / "input.csv", "q0,q1,k0,k1,v0\n0,1,0."); // cut in its first line
  window.play("key Ctrl+Shift+R\nframes 2\nwait\nframes 3\n");
  CHECK(window.results().input.value == before);
  CHECK(pictures() == shown);
  CHECK(window.says("input.csv cannot be read yet: this picture is of what was read before."));
  CHECK(window.says("cannot be read yet: ")); // the input's card, and why
  CHECK(window.says("line 2 has 3 fields; the lines before have 5"));
  const auto [picture, note] = pictureAndNote(window);
  CHECK(picture <= note);
  writeInput(folder / "input.csv", 15, 2);
  window.play("click \"View/Reload (Ctrl+Shift+R)\"\nframes 2\nwait\nframes 3\n");
  CHECK(window.results().input->keys == 15);
  CHECK_FALSE(window.says("cannot be read yet"));
  CHECK_FALSE(window.shows("View/Reload (Ctrl+Shift+R)"));
}

TEST_CASE("Of another file that cannot be read nothing older is shown", "[shell]") {
  const TemporaryFolder folder;
  writeInput(folder / "input.csv", 12, 1);
  writeText(folder / "other.csv", "q0,q1,k0,k1,v0\n0,1,0.");
  TestWindow window(sceneOf(folder / "input.csv"));
  REQUIRE(window.results().input);
  window.bench().document.apply({"open", [&](Scene& s) {
                                   std::get<FileInput>(s.input.source).input =
                                       (folder / "other.csv").string();
                                 }});
  window.settle();
  CHECK_FALSE(window.results().input);
  CHECK(window.results().input.problem);
  CHECK_FALSE(window.says("cannot be read yet"));
}

TEST_CASE("The note that a file has changed covers nothing", "[shell]") {
  const TemporaryFolder folder;
  writeInput(folder / "input.csv", 12, 1);
  Scene scene = sceneOf(folder / "input.csv");
  scene.view = GENERATE(View::Mask, View::Attention, View::Reach, View::Compare);
  const int height = GENERATE(900, 640);
  TestWindow window(scene, {}, {}, height == 900 ? 1440 : 1024, height);
  writeInput(folder / "input.csv", 15, 2);
  REQUIRE(becomes(window, [&] { return window.shows("Reload (Ctrl+Shift+R)"); }));
  window.play("frames 3\n");
  const std::string any = "View/" + pictureNamed(window); // to the end where it scrolls
  window.play("scroll " + quoted(any) + " -60\nframes 3\n");
  const auto [picture, note] = pictureAndNote(window);
  CHECK(picture <= note);
}

TEST_CASE("A file that lost the chosen head offers those that it has", "[shell]") {
  const TemporaryFolder folder;
  const auto write = [&](Index heads) {
    for (const char* name : {"q.npy", "k.npy", "v.npy"}) {
      const std::vector<Index> shape{heads, 6, 2};
      const std::vector<float> values(static_cast<std::size_t>(heads * 12), 0.5F);
      writeNpy<float>((folder / name).string(), shape, std::span<const float>(values));
    }
  };
  write(4);
  Scene scene = sceneOf(folder / "q.npy");
  FileInput files;
  files.q = (folder / "q.npy").string();
  files.k = (folder / "k.npy").string();
  files.v = (folder / "v.npy").string();
  scene.input.source = files;
  scene.input.head = 3;
  TestWindow window(scene);
  REQUIRE(window.results().input);
  CHECK(window.says("q.npy, k.npy, v.npy")); // the card names all
  const Index left = GENERATE(1, 2);
  write(left);
  window.play("key Ctrl+Shift+R\nframes 2\nwait\n");
  CHECK(window.says(left == 1 ? "head-index is 3; it must be 0" : "it must be 0 to 1"));
  CHECK(window.results().attention.problem);
  window.play("click \"model head/0\"\nframes 2\nwait\n");
  CHECK(window.scene().input.head == 0);
  CHECK(window.results().input->heads == left);
  CHECK_FALSE(window.results().attention.problem);
}

TEST_CASE("A mask whose file changed is read again with all that is made of it", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "mask.csv", "i,j\n0,0\n3,1\n");
  Scene scene = smallScene();
  scene.length.n = 8;
  MaskSource source;
  source.file = (folder / "mask.csv").string();
  scene.pattern = patternNamed("given");
  set(scene.pattern, "mask", Value{source});
  TestWindow window(scene);
  REQUIRE(window.results().counts);
  CHECK(window.results().counts->rows.pairs == 2);
  writeText(folder / "mask.csv", "i,j\n0,0\n3,1\n4,4\n7,0\n");
  REQUIRE(becomes(window, [&] { return window.shows("Reload (Ctrl+Shift+R)"); }));
  window.play("click \"View/Reload (Ctrl+Shift+R)\"\nframes 2\nwait\n");
  CHECK(window.results().counts->rows.pairs == 4);
  CHECK(window.scene() == scene);
}

TEST_CASE("Watched files are read again by themselves", "[shell]") {
  const TemporaryFolder folder;
  writeInput(folder / "input.csv", 12, 1);
  TestWindow window(sceneOf(folder / "input.csv"), {}, {}, 1440, 900, {}, true);
  writeInput(folder / "input.csv", 15, 2);
  bool asked = false;
  CHECK(becomes(window, [&] {
    asked = asked || window.shows("Reload (Ctrl+Shift+R)");
    return window.results().input && window.results().input->keys == 15 && !window.app().busy();
  }));
  CHECK_FALSE(asked); // in no frame
}

TEST_CASE("A file that is still being written does not count as changed", "[watch]") {
  const TemporaryFolder folder;
  const std::string file = (folder / "a").string();
  writeText(file, "one");
  std::atomic<int> woken = 0;
  FileWatch watch([&] { ++woken; }, std::chrono::milliseconds(20));
  watch.watch({file});
  const auto wait = [&](bool changed) {
    for (int k = 0; k < 500 && watch.changed().empty() == changed; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return watch.changed().empty() != changed;
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(watch.changed().empty());
  std::filesystem::remove(file); // a missing file is waited for
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(watch.changed().empty());
  writeText(file, "another");
  CHECK(wait(true));
  CHECK(watch.changed() == std::vector<std::string>{file});
  CHECK(woken == 1);
  watch.accept();
  CHECK(watch.changed().empty());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(watch.changed().empty());
  watch.watch({});
  writeText(file, "a third one");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(watch.changed().empty());
}

TEST_CASE("A file that changes after it was read and before it is watched counts as changed",
          "[watch]") {
  const TemporaryFolder folder;
  const std::string file = (folder / "a").string();
  const auto noticed = [](const FileWatch& watch) {
    for (int k = 0; k < 500 && watch.changed().empty(); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return !watch.changed().empty();
  };
  writeText(file, "one");
  FileWatch watch({}, std::chrono::milliseconds(20));
  watch.know({{file, stampOf(file)}}); // read by another job now
  writeText(file, "another");
  watch.watch({file});
  CHECK(noticed(watch));
  watch.accept(); // read again now
  writeText(file, "a third one");
  CHECK(noticed(watch));
  FileWatch later({}, std::chrono::milliseconds(20));
  later.watch({file}); // to be read now
  writeText(file, "a longer fourth one");
  CHECK(noticed(later));
}

TEST_CASE("An input is shown as it was read when it was opened", "[shell]") {
  const TemporaryFolder folder;
  writeInput(folder / "input.csv", 12, 1);
  const std::vector<std::filesystem::path> files{folder / "input.csv"};
  const Opened opened = openFiles(files, InputSpec());
  REQUIRE(opened.read.input);
  writeInput(folder / "input.csv", 15, 2); // in between
  TestWindow window;
  takeRead(window.bench(), opened.read);
  window.bench().document.apply({"open", opened.edit});
  window.play("frames 2\nwait\n");
  CHECK(window.results().input.value == opened.read.input); // not read a second time
  CHECK(becomes(window, [&] { return window.shows("Reload (Ctrl+Shift+R)"); }));
  window.play("key Ctrl+Shift+R\nframes 2\nwait\n");
  CHECK(window.results().input->keys == 15);
}

TEST_CASE("A scene that somebody else has saved is not replaced without a question", "[shell]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "scene.json";
  writeScene(smallScene(), file);
  TestWindow window;
  window.play("drop " + quoted(file.string()) + "\nframes 3\nwait\n");
  window.play("set \"stride ℓ\" 5\nframes 3\nkey Ctrl+S\nframes 3\nwait\n");
  CHECK(readScene(file).scene == window.scene());
  Scene other = smallScene();
  other.length.n = 33; // another window
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  writeScene(other, file);
  window.play("set \"stride ℓ\" 6\nframes 3\nkey Ctrl+S\nframes 3\nwait\n");
  CHECK(window.says("scene.json has changed on disk since it was opened"));
  CHECK(readScene(file).scene == other);
  window.play("key Ctrl+S\nframes 3\nwait\n"); // meant
  CHECK(readScene(file).scene == window.scene());
}

} // namespace
} // namespace attention::gui
