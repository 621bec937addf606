// The whole window without a display, driven by scripts: what the tests of the shell share.
#pragma once

#include "app/gui/frame/application.h"
#include "app/gui/frame/frame_loop.h"
#include "app/gui/present/speaker_window.h"
#include "app/gui/script/script_runner.h"
#include "app/gui/state/document.h"
#include "core/input/npy_writer.h"
#include "core/scene/scene_json.h"
#include "tests/app/gui/word_list.h"
#include "tests/catch.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace attention::gui {

// Its own folder, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "attention-shell-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  TemporaryFolder(TemporaryFolder&&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

inline void writeText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

// Not inside a CHECK: Catch2 takes minutes to print the numbers of two pictures.
inline bool samePicture(const gl::Pixels& a, const gl::Pixels& b) {
  return a.rgba == b.rgba;
}

// As a string in a script.
inline std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

// The beginning with the sample of an encoder, which is short: quick.
inline Scene aliceScene() {
  Scene scene = defaultScene();
  scene.model = ModelSpec(); // whether its model is there or not
  scene.input = encoderSample();
  scene.pins = {Index{97}, Index{61}};
  return scene;
}

// Strided attention over 64 tokens without an input, and few of everything else: quick.
inline Scene smallScene() {
  Scene scene = aliceScene();
  scene.input = InputSpec();
  scene.length.n = 64;
  scene.kernels.length = 32;
  scene.kernels.repeats = 2;
  scene.kernels.projections = {4, 8};
  scene.kernels.chosen = 8;
  scene.timings.from = 16; // short, since every length is measured many times
  scene.timings.to = 64;
  return scene;
}

class TestWindow {
public:
  explicit TestWindow(const Scene& scene = smallScene(), std::filesystem::path stateFolder = {},
                      const UiState& habits = {}, int width = 1440, int height = 900,
                      std::optional<int> minuteOfDay = {}, bool watch = false)
      : host_(Host::headless({"test", width, height, 1, minuteOfDay})),
        app_({scene, habits, {std::move(stateFolder), 1}, {}, {}, Notices::kForever, {}, watch}) {
    settle();
  }

  void frame() {
    host_.frame([this](const FrameInfo& info) { app_.frame(info, host_.fonts()); });
    quits += std::exchange(app_.bench().wishes.quit, false) ? 1 : 0;
    fulfil(host_, app_.bench());
    speaker_.follow(app_.bench());
    if (speaker_.isOpen())
      keepWords(speaker_.log(), "speaker");
    keepWords(app_.log(), std::string(kViewNames[static_cast<std::size_t>(scene().view)]));
    if (const std::string broken = brokenWords(app_.log()); !broken.empty())
      FAIL_CHECK("the window shows what is no text: " << broken);
  }
  // Frames until no job runs and what they gave is drawn.
  void settle() {
    for (int quiet = 0; quiet < 3;) {
      frame();
      quiet = app_.busy() || speaker_.pending() ? 0 : quiet + 1;
      if (quiet == 0)
        std::this_thread::yield();
    }
  }
  // Plays the lines; every failure fails the test with its message. A script that checks something
  // counts as a check of the test.
  void play(const std::string& script) {
    const std::vector<std::string> failures = failuresOf(script);
    for (const std::string& failure : failures)
      FAIL_CHECK(failure);
    if (failures.empty() && script.find("check ") != std::string::npos)
      SUCCEED("what the script checks holds");
  }
  std::vector<std::string> failuresOf(const std::string& script) {
    ScriptWorld world;
    world.busy = [this] { return app_.busy(); };
    world.document = [this] { return nlohmann::json(toJson(scene())); };
    world.resize = [this](int width, int height) { host_.resize(width, height); };
    ScriptRunner runner(parseScript(script), world);
    while (runner.beforeFrame(app_.log(), host_.events()))
      frame();
    std::vector<std::string> messages;
    for (const ScriptFailure& failure : runner.failures())
      messages.push_back(failure.message);
    return messages;
  }

  int quits = 0; // how often the window was asked to close

  const Scene& scene() const { return app_.bench().document.scene(); }
  Workbench& bench() { return app_.bench(); }
  Application& app() { return app_; }
  Host& host() { return host_; }
  SpeakerWindow& speaker() { return speaker_; }
  const Results& results() { return app_.bench().engine.results(); }
  bool shows(const std::string& label) { return app_.log().find(label) != nullptr; }
  // The text of all notes and words on the screen that contain `part`.
  bool says(const std::string& part) {
    for (const Widget& widget : app_.log().widgets())
      if (widget.label.find(part) != std::string::npos ||
          widget.value.find(part) != std::string::npos)
        return true;
    return false;
  }

private:
  Host host_;
  Application app_;
  SpeakerWindow speaker_{host_};
};

// Words of the view that lie over other words, in pairs.
inline std::vector<std::string> overlappingWords(TestWindow& window) {
  constexpr float kTouching = 1; // tolerance for what is rounded to points
  const auto apart = [](float end, float begin) { return end <= begin + kTouching; };
  std::vector<Widget> words;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.kind == WidgetKind::Text && widget.scope.rfind("View", 0) == 0)
      words.push_back(widget);
  std::vector<std::string> found;
  for (const Widget& a : words)
    for (const Widget& b : words)
      if (&a < &b && !apart(a.rect.x1, b.rect.x0) && !apart(b.rect.x1, a.rect.x0) &&
          !apart(a.rect.y1, b.rect.y0) && !apart(b.rect.y1, a.rect.y0))
        found.push_back(a.label + " / " + b.label);
  return found;
}

} // namespace attention::gui
