// Animations from the window: chosen, written as a job, stopped.
#include "tests/app/gui/control_tally.h"
#include "tests/core/figure/files.h"

#include <cstdlib>

namespace attention::gui {
namespace {

// Changes PATH during its lifetime.
class Path {
public:
  explicit Path(const std::string& folders) : before_(std::getenv("PATH")) {
    ::setenv("PATH", folders.c_str(), 1);
  }
  ~Path() { ::setenv("PATH", before_.c_str(), 1); }
  Path(Path&&) = delete;

private:
  std::string before_;
};

// A program that writes its arguments into its output file, which is its last word.
std::filesystem::path fakeFfmpeg(const TemporaryFolder& folder) {
  const std::filesystem::path bin = folder / "bin";
  std::filesystem::create_directory(bin);
  writeText(bin / "ffmpeg", "#!/bin/sh\nfor word in \"$@\"; do last=$word; done\n"
                            "echo \"$@\" >\"$last\"\n");
  std::filesystem::permissions(bin / "ffmpeg", std::filesystem::perms::owner_all);
  return bin;
}

UiState habitsIn(const TemporaryFolder& folder) {
  UiState habits;
  habits.folder = folder.path().string();
  return habits;
}

// Opens the overlay and chooses what moves.
void choose(TestWindow& window, const std::string& of, const std::string& kind) {
  window.play("click \"Menu/File\"\nframes 2\nclick \"File/Export animation…\"\nframes 3\n"
              "set \"Animation/what moves\" " +
              quoted(of) + "\nframes 3\nclick " + quoted("written as/" + kind) + "\nframes 3\n");
}

// Three frames of a moving stride, to a file of that name.
void write(TestWindow& window, const std::string& kind, const std::string& name) {
  choose(window, "stride", kind);
  window.play("set \"Animation/from\" \"4\"\nset \"Animation/to\" \"6\"\nframes 3\n"
              "check \"3 frames: stride from 4 to 6\" exists\n"
              "click \"Animation/Choose a file…\"\nframes 3\nset \"File dialog/file name\" " +
              quoted(name) + "\nframes 3\n");
  if (window.shows("File dialog/Save"))
    window.play("click \"File dialog/Save\"\nframes 3\n");
  window.play("wait\nframes 3\n");
}

TEST_CASE("A moving parameter is written as an animated picture that carries the Scene",
          "[animation]") {
  const TemporaryFolder folder;
  TestWindow window(smallScene(), {}, habitsIn(folder));
  const Scene before = window.scene();
  write(window, "APNG", "stride.png");
  const std::string file = ::textOf(folder / "stride.png");
  CHECK(file.find("acTL") != std::string::npos);
  CHECK(file.find("attention-explorer scene") != std::string::npos);
  CHECK(window.says("3 frames"));
  CHECK(window.scene() == before);
}

TEST_CASE("Numbered pictures fill a folder that may already exist", "[animation]") {
  const TemporaryFolder folder;
  TestWindow window(smallScene(), {}, habitsIn(folder));
  write(window, "PNGs", "steps");
  for (const char* name : {"frame-00001.png", "frame-00002.png", "frame-00003.png"})
    CHECK(std::filesystem::exists(folder / "steps" / name));
  CHECK_FALSE(std::filesystem::exists(folder / "steps" / "frame-00004.png"));
  choose(window, "query", "PNGs");
  window.play("set \"Animation/to\" \"1\"\nframes 3\nclick \"Animation/Choose a file…\"\nframes 3\n"
              "set \"File dialog/file name\" \"steps\"\nframes 3\n");
  REQUIRE(window.says("steps exists: replace its pictures?"));
  window.play("click \"File dialog/Replace\"\nframes 3\nwait\nframes 3\n");
  CHECK(window.says("2 frames"));
  // A click on a folder opens it and keeps the name.
  choose(window, "query", "PNGs");
  window.play("click \"Animation/Choose a file…\"\nframes 3\nclick \"files/steps\"\nframes 3\n");
  const auto* dialog = std::get_if<FileDialogState>(&window.bench().overlay);
  REQUIRE(dialog);
  CHECK(dialog->folder == folder / "steps");
  CHECK(dialog->name == "strided-64-query");
}

TEST_CASE("A GIF needs nothing else, an MP4 is offered where ffmpeg is installed", "[animation]") {
  const TemporaryFolder folder;
  const bool there = GENERATE(true, false);
  const Path path(there ? fakeFfmpeg(folder).string() + ":" + std::getenv("PATH")
                        : (folder / "none").string());
  TestWindow window(smallScene(), {}, habitsIn(folder));
  choose(window, "query", "APNG");
  for (const auto& [kind, offered] : {std::pair("GIF", true), std::pair("MP4", there)}) {
    const Widget* widget = window.app().log().find(std::string("written as/") + kind);
    REQUIRE(widget);
    CHECK(widget->enabled == offered);
  }
  window.play("key Esc\nframes 3\n");
  write(window, "GIF", "stride.gif");
  CHECK(::textOf(folder / "stride.gif").starts_with("GIF89a"));
  if (!there)
    return;
  write(window, "MP4", "stride.mp4");
  CHECK(::textOf(folder / "stride.mp4").find("-framerate 2") != std::string::npos);
}

TEST_CASE("The preview shows one frame after the other, each with its number", "[animation]") {
  const TemporaryFolder folder;
  TestWindow window(smallScene(), {}, habitsIn(folder));
  choose(window, "stride", "GIF");
  window.play("set \"Animation/from\" \"4\"\nset \"Animation/to\" \"6\"\n"
              "set \"seconds per frame\" 0.2\nframes 3\n");
  const std::vector<std::string> all{"stride = 4, frame 1 of 3", "stride = 5, frame 2 of 3",
                                     "stride = 6, frame 3 of 3"};
  std::vector<std::size_t> seen;
  for (int k = 0; k < 2000 && seen.size() < 4; ++k) {
    window.frame();
    for (std::size_t at = 0; at < all.size(); ++at)
      if (window.says(all[at]) && (seen.empty() || seen.back() != at))
        seen.push_back(at);
  }
  REQUIRE(seen.size() == 4);
  for (std::size_t k = 1; k < seen.size(); ++k)
    CHECK(seen[k] == (seen[k - 1] + 1) % all.size());
  window.play("set \"Animation/step\" \"few\"\nframes 3\n");
  CHECK_FALSE(window.says("frame 1 of 3")); // nothing to show
}

TEST_CASE("An animation is a job that Escape stops and that leaves no file", "[animation]") {
  const TemporaryFolder folder;
  TestWindow window(smallScene(), {}, habitsIn(folder));
  choose(window, "query", "APNG");
  window.play("click \"Animation/Choose a file…\"\nframes 3\nkey Enter\nframes 2\n");
  for (int k = 0; k < 600 && !window.says("writing strided-64-query.png"); ++k)
    window.frame();
  REQUIRE(window.says("writing strided-64-query.png"));
  window.play("key Esc\nwait\nframes 3\n");
  CHECK(window.says("stopped: writing strided-64-query.png"));
  CHECK_FALSE(std::filesystem::exists(folder / "strided-64-query.png"));
}

TEST_CASE("What cannot move says so and is not written", "[animation]") {
  const TemporaryFolder folder;
  TestWindow window(smallScene(), {}, habitsIn(folder));
  choose(window, "query", "APNG");
  for (const auto& [field, text] :
       {std::pair("from", "first"), std::pair("step", "0"), std::pair("step", "0.5")}) {
    window.play("set " + quoted(std::string("Animation/") + field) + " " + quoted(text) +
                "\nframes 3\ncheck \"Animation/Choose a file…\" disabled\n");
    window.play("set " + quoted(std::string("Animation/") + field) +
                " \"\"\nframes 3\n"
                "check \"Animation/Choose a file…\" enabled\n");
  }
  // Measured times have nothing to animate.
  window.play("key Esc\nframes 2\nkey 6\nframes 3\nclick \"Menu/File\"\nframes 2\n"
              "check \"File/Export animation…\" disabled\n");
}

TEST_CASE("Every computed view can be animated", "[animation]") {
  const View view =
      GENERATE(View::Mask, View::Reach, View::Kernels, View::Encodings, View::Compare);
  const TemporaryFolder folder;
  Scene scene = smallScene();
  scene.view = view;
  scene.length.n = 12;
  scene.kernels.redraws = 0;
  TestWindow window(scene, {}, habitsIn(folder));
  window.play("click \"Menu/File\"\nframes 2\nclick \"File/Export animation…\"\nframes 3\n"
              "set \"Animation/to\" \"1\"\nframes 3\nclick \"Animation/Choose a file…\"\nframes 3\n"
              "set \"File dialog/file name\" \"moving.png\"\nframes 3\nwait\nframes 3\n");
  CHECK(::textOf(folder / "moving.png").find("acTL") != std::string::npos);
}

} // namespace
} // namespace attention::gui
