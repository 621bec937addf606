// What the window remembers: damaged files cost only themselves, and windows that are open at once
// stay separate.
#include "app/gui/state/state_folder.h"
#include "core/input/mapped_file.h"
#include "core/support/error.h"
#include "tests/app/gui/shell_window.h"

#include <chrono>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

Scene sceneOf(Index n) {
  Scene scene = smallScene();
  scene.length.n = n;
  return scene;
}

std::set<std::string> filesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST_CASE("A damaged window file never costs the scene and is kept beside the new one", "[state]") {
  const TemporaryFolder folder;
  const std::string damaged = GENERATE("", "{", "[]", "null", "{\"theme\": \"dark\"");
  saveState({folder.path()}, sceneOf(23), {});
  writeText(folder / "window.json", damaged);
  const SavedState back = loadState({folder.path()});
  REQUIRE(back.scene);
  CHECK(back.scene->length.n == Index{23});
  CHECK(back.ui == UiState());
  REQUIRE(back.problems.size() == 1);
  CHECK(back.problems[0].find("The last window settings could not be read: ") == 0);
  CHECK(textOfFile(folder / "window.damaged.json") == damaged);
  CHECK_FALSE(fs::exists(folder / "window.json"));
}

TEST_CASE("A damaged scene never costs the window settings and is kept beside the new one",
          "[state]") {
  const TemporaryFolder folder;
  UiState habits;
  habits.theme = ThemeKind::Light;
  for (int times = 1; times <= 12; ++times) {
    saveState({folder.path()}, sceneOf(23), habits);
    writeText(folder / "scene.json", "damaged " + std::to_string(times));
    const SavedState back = loadState({folder.path()});
    CHECK_FALSE(back.scene);
    CHECK(back.ui == habits);
    REQUIRE(back.problems.size() == 1);
    CHECK(back.problems[0].find("It is kept as " + (folder / "scene.damaged").string()) !=
          std::string::npos);
    saveState({folder.path()}, sceneOf(24), habits); // the window goes on and still saves
  }
  CHECK(textOfFile(folder / "scene.damaged.json") == "damaged 1");
  CHECK(textOfFile(folder / "scene.damaged-2.json") == "damaged 2");
  CHECK(textOfFile(folder / "scene.damaged-9.json") == "damaged 12"); // as many as fit
  CHECK(loadState({folder.path()}).problems.empty());
}

TEST_CASE("A scene of a newer program is kept beside the new one", "[state]") {
  const TemporaryFolder folder;
  const std::string newer = R"({"type": "attention-explorer scene", "version": 999})";
  writeText(folder / "scene.json", newer);
  const SavedState back = loadState({folder.path()});
  CHECK_FALSE(back.scene);
  CHECK(back.problems.size() == 1);
  CHECK(textOfFile(folder / "scene.damaged.json") == newer);
}

TEST_CASE("Windows that are open at once have their own files", "[state]") {
  const TemporaryFolder folder;
  {
    const HeldPlace first(folder.path());
    saveState(first.place(), sceneOf(11), {});
    const HeldPlace second(folder.path());
    CHECK(first.place().window == 1);
    CHECK(second.place().window == 2);
    // It begins with what the first one has, and leaves that alone.
    const SavedState begun = loadState(second.place());
    REQUIRE(begun.scene);
    CHECK(begun.scene->length.n == Index{11});
    CHECK(begun.others.empty()); // the first window is open
    saveState(second.place(), sceneOf(22), {});
    saveState(first.place(), sceneOf(12), {});
    CHECK(HeldPlace(folder.path()).place().window == 3);
  }
  CHECK(loadState({folder.path(), 1}).scene->length.n == Index{12});
  CHECK(loadState({folder.path(), 2}).scene->length.n == Index{22});
  const auto names = filesIn(folder.path());
  for (const char* name : {"scene.json", "window.json", "scene-2.json", "window-2.json"})
    CHECK(names.count(name) == 1);
}

TEST_CASE("The next window takes over what a second window left last", "[state]") {
  const TemporaryFolder folder;
  const StatePlace first{folder.path(), 1};
  const StatePlace second{folder.path(), 2};
  saveState(first, sceneOf(11), {});
  saveState(second, sceneOf(22), {});
  const auto now = fs::last_write_time(first.sceneFile());
  fs::last_write_time(second.sceneFile(), now + std::chrono::seconds(5));
  CHECK(loadState(first).others == std::vector<fs::path>{second.sceneFile()});
  CHECK(loadState(first).scene->length.n == Index{11}); // still its own
  {
    const HeldPlace a(folder.path());
    const HeldPlace b(folder.path());
    CHECK(loadState(a.place()).others.empty()); // that window is open
  }
  fs::last_write_time(second.sceneFile(), now - std::chrono::seconds(5));
  CHECK(loadState(first).others.empty());
}

TEST_CASE("A second window does not move a damaged file of the first", "[state]") {
  const TemporaryFolder folder;
  writeText(folder / "scene.json", "{");
  const SavedState back = loadState({folder.path(), 2});
  CHECK(back.problems.size() == 1);
  CHECK(fs::exists(folder / "scene.json"));
}

TEST_CASE("A folder that cannot be made holds nothing up", "[state]") {
  const HeldPlace held("/proc/nothing");
  CHECK(held.place().window == 1);
  CHECK_FALSE(loadState(held.place()).scene);
  CHECK(held.problem().starts_with(
      "The window's state will not be kept: cannot write /proc/nothing: "));
  CHECK(HeldPlace("").place().folder.empty());
  CHECK(HeldPlace("").problem().empty());
  const TemporaryFolder folder;
  CHECK(HeldPlace(folder.path()).problem().empty());
}

TEST_CASE("The position of the window is kept, unless none is known", "[state]") {
  UiState state;
  CHECK(uiStateFromJson(toJson(state)) == state);
  state.x = -1900;
  state.y = 40;
  CHECK(uiStateFromJson(toJson(state)) == state);
  const auto read = [](const char* text) {
    return uiStateFromJson(nlohmann::ordered_json::parse(text));
  };
  CHECK_FALSE(read(R"({"x": 5})").x);
  CHECK_FALSE(read(R"({"x": 5, "y": "6"})").x);
  CHECK(read(R"({"x": 9223372036854775807, "y": -9223372036854775808})").x == 1 << 20);
}

} // namespace
} // namespace attention::gui
