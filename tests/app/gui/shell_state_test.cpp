// What the window remembers between two starts, and jobs.
#include "app/gui/run_gui.h"
#include "app/gui/state/state_folder.h"
#include "core/pattern/mechanism/all.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/views/scene_words.h"
#include "tests/app/gui/shell_window.h"

#include <atomic>
#include <latch>

namespace attention::gui {
namespace {

TEST_CASE("The last state of the window comes back at the next start", "[shell]") {
  const TemporaryFolder folder;
  Scene last;
  UiState habits;
  {
    TestWindow window(smallScene(), folder.path());
    window.play("click \"recent/Causal\"\nkey Ctrl+L\nframes 3\n");
    window.app().saveState();
    last = window.scene();
    habits = window.bench().ui;
  }
  const SavedState back = loadState({folder.path()});
  REQUIRE(back.scene.has_value());
  CHECK(*back.scene == last);
  CHECK(back.ui == habits);
  CHECK(back.ui.theme == ThemeKind::Light);
  CHECK(description(back.ui.recentPatterns.front()).name == "strided");
}

TEST_CASE("Without a state folder nothing is read or written", "[shell]") {
  CHECK_FALSE(loadState({}).scene.has_value());
  const TemporaryFolder folder;
  TestWindow window;
  window.play("click \"recent/Causal\"\nframes 200\n");
  window.app().saveState();
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("Wrong values of the window settings keep their defaults", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "window.json", "{\"theme\": 3, \"scale\": \"x\", \"recent_files\": [1]}");
  const SavedState back = loadState({folder.path()});
  CHECK(back.problems.empty());
  UiState kept;
  kept.toured = true; // the file is from an earlier start
  CHECK(back.ui == kept);
}

TEST_CASE("A document undoes edits but not the camera", "[shell]") {
  Document document(smallScene());
  const Scene start = document.scene();
  document.setCamera(Camera{1, 2, 3});
  CHECK_FALSE(document.canUndo());
  document.apply({"length", [](Scene& s) { s.length.n = 5; }, "length"});
  document.apply({"length", [](Scene& s) { s.length.n = 6; }, "length"});
  document.endGesture();
  document.apply({"length", [](Scene& s) { s.length.n = 7; }, "length"});
  document.undo();
  CHECK(document.scene().length.n == 6);
  document.undo();
  CHECK(document.scene().length.n == start.length.n);
  CHECK(document.scene().camera == Camera{1, 2, 3});
  CHECK_FALSE(document.canUndo());
  document.redo();
  document.redo();
  CHECK(document.scene().length.n == 7);
  CHECK_FALSE(document.canRedo());
}

TEST_CASE("An edit during a save stays unsaved", "[shell]") {
  Document document(smallScene());
  document.apply({"length", [](Scene& s) { s.length.n = 5; }});
  const Scene written = document.scene();
  document.apply({"length", [](Scene& s) { s.length.n = 6; }});
  document.markSaved(written, "scene.json");
  CHECK(document.changed());
  document.undo();
  CHECK_FALSE(document.changed());
}

TEST_CASE("Of several waiting states only the newest is written", "[shell]") {
  const TemporaryFolder folder;
  StateWriter writer({folder.path()});
  Scene scene = smallScene();
  for (Index n = 1; n <= 50; ++n) {
    scene.length.n = n;
    writer.write(scene, {});
  }
  writer.wait();
  CHECK(loadState({folder.path()}).scene->length.n == Index{50});
}

TEST_CASE("What is waited for is on the disk, even if writing had already begun", "[shell]") {
  const TemporaryFolder folder;
  StateWriter writer({folder.path()});
  Scene scene = smallScene();
  scene.labels = SharedList(std::vector<std::string>(200000, "token")); // which takes a while
  writer.write(scene, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  writer.wait();
  CHECK(loadState({folder.path()}).scene == scene);
}

TEST_CASE("An edit drops a caption if it changes its subject, and undo brings it back", "[shell]") {
  Scene scene = smallScene();
  scene.caption = "Strided with ℓ = 4, 100 cells.";
  Document document(scene);
  document.apply({"pin", [](Scene& s) { s.pins.query = 3; }, ""});
  CHECK(document.scene().caption == scene.caption); // the same cells
  document.apply({"length", [](Scene& s) { s.length.n = 20; }, ""});
  CHECK(document.scene().caption.empty());
  document.undo();
  CHECK(document.scene().caption == scene.caption);
}

TEST_CASE("A published title is only about its own view and patterns", "[shell]") {
  Scene scene = smallScene();
  scene.title = "Two factorized schemes";
  scene.source = "Child et al. 2019, figure 3";
  scene.caption = "Strided with ℓ = 4.";
  Document document(scene);
  document.apply({"view", [](Scene& s) { s.view = View::Kernels; }});
  CHECK(wordsOf(document.scene()).title.empty());
  CHECK(wordsOf(document.scene()).source.empty());
  CHECK(wordsOf(document.scene()).caption.empty());
  CHECK(sceneFromJson(toJson(document.scene())).scene == document.scene());
  document.apply({"view", [](Scene& s) { s.view = View::Choosing; }});
  document.apply({"picture", [](Scene& s) { s.choosing.picture = ChoosingPicture::Captured; }});
  CHECK(inOwnWords(document.scene()).title.empty());
  document.apply({"picture", [&](Scene& s) { s.choosing.picture = scene.choosing.picture; }});
  document.apply({"view", [view = scene.view](Scene& s) { s.view = view; }});
  CHECK(document.scene() == scene); // look elsewhere and come back
  document.apply({"length", [](Scene& s) { s.length.n = 20; }});
  CHECK(wordsOf(document.scene()).title == scene.title);
  document.apply({"pattern", [](Scene& s) { s.pattern = BigBird{}; }});
  CHECK(document.scene().title.empty());
  CHECK(document.scene().source.empty());
  scene.source.clear(); // the user's own folder
  Document own(scene);
  own.apply({"pattern", [](Scene& s) { s.pattern = BigBird{}; }});
  CHECK(own.scene().title == scene.title);
}

TEST_CASE("An edit that changes nothing is not an undo step", "[shell]") {
  Document document(smallScene());
  CHECK_FALSE(document.apply({"same", [](Scene&) {}}));
  CHECK_FALSE(document.canUndo());
  CHECK_FALSE(document.changed());
}

TEST_CASE("Undo brings back the pins that a step set with the rest of the Scene", "[shell]") {
  Document document(smallScene());
  document.setPins({7, 3});
  const Scene before = document.scene();
  document.apply({"figure", [](Scene& scene) {
                    scene.length.n = 24;
                    scene.pins = {15, {}};
                  }});
  document.undo();
  CHECK(document.scene() == before);
  document.redo();
  CHECK(document.scene().pins == Pins{15, {}});
}

TEST_CASE("Pins moved by arrows are one undo step and clicks are one each", "[shell]") {
  Document document(smallScene());
  document.setPins({7, 3});
  for (Index query = 8; query < 12; ++query)
    document.setPins({query, 3}, "arrows");
  document.undo();
  CHECK(document.scene().pins == Pins{7, 3});
  document.undo();
  CHECK(document.scene() == smallScene());
  document.redo();
  document.redo();
  CHECK(document.scene().pins == Pins{11, 3});
}

TEST_CASE("A gesture that ends where it began is not an undo step", "[shell]") {
  Document document(smallScene());
  for (const double moment : {0.0, 0.5, 1.0})
    document.apply({"sorting", [=](Scene& s) { s.choosing.moment = moment; }, "play"});
  CHECK_FALSE(document.canUndo());
  document.apply({"sorting", [](Scene& s) { s.choosing.moment = 0.5; }, "play"});
  document.setCamera(Camera{8, 8, 4}); // which is not a step
  document.apply({"sorting", [](Scene& s) { s.choosing.moment = 1; }, "play"});
  CHECK_FALSE(document.canUndo());
  CHECK(document.scene().camera);
}

// The same JSON with another value at `pointer`, where a Scene can be made of it that differs.
std::optional<Scene> changedAt(const nlohmann::json& json, const std::string& pointer,
                               const Scene& scene) {
  const nlohmann::json::json_pointer at(pointer);
  const nlohmann::json& leaf = json.at(at);
  std::vector<nlohmann::json> others;
  if (leaf.is_boolean())
    others = {!leaf.get<bool>()};
  else if (leaf.is_number_integer())
    others = {leaf.get<Index>() + 1, leaf.get<Index>() - 1, leaf.get<Index>() * 2};
  else if (leaf.is_number())
    others = {leaf.get<double>() / 2, leaf.get<double>() + 1};
  else // text, or the name of a choice
    others = {"other",    "logits", "entries",   "sinusoidal", "normal",       "random",
              "full",     "causal", "sum",       "merged",     "lines",        "matrices",
              "captured", "rounds", "gaussian",  "trig",       "relu",         "stack",
              "compare",  "pairs",  "learnt",    "code",       "bottom-right", "input",
              "exp",      "sqrt_d", "reference", "iid",        "strided",      "linear",
              "layer",    "zigzag", "layers",    "heads",      "cost"};
  for (const nlohmann::json& other : others) {
    nlohmann::json changed = json;
    changed[at] = other;
    try {
      if (Scene made = sceneFromJson(changed).scene; !(made == scene))
        return made;
    } catch (const Error&) { // no such value
    }
  }
  return std::nullopt;
}

TEST_CASE("Every field of the Scene but the camera is undone and redone", "[shell]") {
  Scene scene = aliceScene();
  scene.title = "title";
  scene.labels = {"a", "b"};
  scene.pins = {7, 3};
  scene.reach.beside.clear();
  scene.reach.shown = 2;
  scene.choosing.moment = 0.5;
  scene.camera = Camera{40, 30, 20};
  const nlohmann::json json(toJson(scene));
  std::vector<std::string> unchanged;
  std::set<std::string> parts;
  const nlohmann::json leaves = json.flatten();
  for (const auto& [pointer, leaf] : leaves.items()) {
    if (pointer.rfind("/camera", 0) == 0 || leaf.is_null() || leaf.is_structured())
      continue;
    const std::optional<Scene> changed = changedAt(json, pointer, scene);
    if (!changed) {
      unchanged.push_back(pointer);
      continue;
    }
    parts.insert(pointer.substr(0, pointer.find('/', 1)));
    INFO(pointer);
    Document document(scene);
    document.apply({"edit", [&](Scene& s) { s = *changed; }});
    const Scene edited = document.scene(); // without stale words
    REQUIRE(document.canUndo());
    document.undo();
    CHECK(document.scene() == scene);
    document.redo();
    CHECK(document.scene() == edited);
  }
  // What says which fields there are.
  CHECK(unchanged == std::vector<std::string>{"/type", "/version"});
  for (const char* part :
       {"/view", "/pattern", "/length", "/input", "/mask", "/reach", "/attention", "/kernels",
        "/choosing", "/timings", "/encodings", "/compare", "/model", "/pins", "/title", "/labels"})
    CHECK(parts.count(part) == 1);
}

using NumberSlot = Slot<int, int>;

std::shared_ptr<const int> twice(int key) {
  return std::make_shared<const int>(2 * key);
}

Deadline soon() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(60);
}

TEST_CASE("A slot shows the parts that a job publishes until the whole is there", "[shell]") {
  JobPool pool({}, 1);
  NumberSlot slot;
  std::latch published(1);
  std::latch go(1);
  const auto grow = [&](const Run&, Parts<int>& parts) {
    parts.publish(twice(1));
    parts.publish(twice(2));
    published.count_down();
    go.wait();
    return twice(3);
  };
  slot.askInParts(pool, "growing", 3, grow, Deadline::min());
  published.wait();
  const auto part = slot.askInParts(pool, "growing", 3, grow, Deadline::min());
  REQUIRE(part);
  CHECK(*part == 4);
  CHECK(part.pending);
  CHECK_FALSE(part.stale);
  go.count_down();
  while (slot.askInParts(pool, "growing", 3, grow, soon()).pending)
    std::this_thread::yield();
  CHECK(*slot.latest() == 6);
}

TEST_CASE("What a job for another key publishes leaves the current result as it is", "[shell]") {
  JobPool pool({}, 1);
  NumberSlot slot;
  slot.ask(
      pool, "quick", 1, [](const Run&) { return twice(1); }, soon());
  std::latch asked(1);
  std::latch published(1);
  const auto endless = [&](const Run& run, Parts<int>& parts) -> std::shared_ptr<const int> {
    asked.wait(); // otherwise the part may be there while its key is the requested one
    parts.publish(twice(7));
    published.count_down();
    while (true)
      run.check();
  };
  slot.askInParts(pool, "other", 7, endless, Deadline::min());
  asked.count_down();
  published.wait();
  const auto again = slot.ask(
      pool, "quick", 1, [](const Run&) { return twice(1); }, soon());
  CHECK(*again == 2);
  CHECK_FALSE(again.stale);
  slot.stop();
  CHECK_FALSE(slot.pending());
  CHECK(*slot.latest() == 2);
}

TEST_CASE("Small pictures that left the screen are no longer worked on", "[shell]") {
  TestWindow window;
  window.play("click \"Sidebar/Figures\"\nframes 1\nclick \"Sidebar/Patterns\"\nwait\n");
  window.play("key G\nframes 1\nkey Esc\nwait\n");
  CHECK_FALSE(window.app().busy());
}

TEST_CASE("A job that fails after publishing a part leaves the part and says why", "[shell]") {
  JobPool pool({}, 1);
  NumberSlot slot;
  const auto fail = [](const Run&, Parts<int>& parts) -> std::shared_ptr<const int> {
    parts.publish(twice(4));
    throwRange("n", "7", "at most 6");
  };
  const auto failed = slot.askInParts(pool, "failing", 7, fail, soon());
  REQUIRE(failed);
  CHECK(*failed == 8);
  REQUIRE(failed.problem);
  CHECK(failed.problem->text == "n is 7; it must be at most 6");
  CHECK_FALSE(failed.pending);
}

TEST_CASE("A slot gives a quick value at once and keeps the last good one for the rest",
          "[shell]") {
  JobPool pool({}, 2);
  NumberSlot slot;
  const auto quick = slot.ask(
      pool, "quick", 1, [](const Run&) { return twice(1); }, soon());
  REQUIRE(quick);
  CHECK(*quick == 2);
  CHECK_FALSE(quick.stale);
  std::latch go(1);
  const auto slow = [&go](const Run&) {
    go.wait();
    return twice(5);
  };
  const auto waiting = slot.ask(pool, "slow", 5, slow, Deadline::min());
  CHECK(*waiting == 2);
  CHECK(waiting.stale);
  CHECK(waiting.pending);
  go.count_down();
  const auto done = slot.ask(pool, "slow", 5, slow, soon());
  // Requested again with the same key: the running job counts.
  while (slot.pending())
    slot.ask(pool, "slow", 5, slow, soon());
  CHECK(*slot.latest() == 10);
  CHECK_FALSE(slot.latest().stale);
}

TEST_CASE("A job that failed leaves the last good value and a problem", "[shell]") {
  JobPool pool({}, 1);
  NumberSlot slot;
  slot.ask(
      pool, "good", 1, [](const Run&) { return twice(1); }, soon());
  const auto bad = [](const Run&) -> std::shared_ptr<const int> {
    throw Error(ErrorCode::Range, "stride", "stride is 0; it must be an integer of at least 1");
  };
  const auto failed = slot.ask(pool, "bad", 2, bad, soon());
  CHECK(*failed == 2);
  CHECK(failed.stale);
  REQUIRE(failed.problem);
  CHECK(failed.problem->subject == "stride");
  const auto again = slot.ask(
      pool, "good", 1, [](const Run&) { return twice(1); }, soon());
  CHECK_FALSE(again.problem);
  CHECK_FALSE(again.stale);
}

// Work that ends when it is stopped, and counts how often it was started.
struct EndlessWork {
  std::atomic<int> starts = 0;
  std::latch started{1};

  NumberSlot::Make make() {
    return [this](const Run& run) -> std::shared_ptr<const int> {
      if (++starts == 1)
        started.count_down();
      while (true)
        run.check();
    };
  }
};

TEST_CASE("A stopped job stays stopped until it is asked for again", "[shell]") {
  EndlessWork work; // outlives the jobs
  JobPool pool({}, 1);
  NumberSlot slot;
  const auto endless = work.make();
  slot.ask(pool, "endless", 1, endless, Deadline::min());
  work.started.wait();
  for (const auto& job : pool.active())
    job->stop();
  const auto stopped = slot.ask(pool, "endless", 1, endless, Deadline::min());
  REQUIRE(stopped.problem);
  CHECK(isStopped(stopped.problem));
  slot.ask(pool, "endless", 1, endless, Deadline::min());
  CHECK(work.starts == 1);
  slot.retry();
  slot.ask(
      pool, "other", 1, [](const Run&) { return twice(4); }, soon());
  CHECK(*slot.latest() == 8);
}

TEST_CASE("Stopping the job of an older key stops the one that replaced it", "[shell]") {
  EndlessWork work; // outlives the jobs
  JobPool pool({}, 1);
  NumberSlot slot;
  const auto endless = work.make();
  slot.ask(pool, "endless", 1, endless, Deadline::min());
  work.started.wait();
  slot.ask(pool, "endless", 2, endless, Deadline::min()); // the first keeps running for a while
  for (const auto& job : pool.active())
    job->stop();
  const auto stopped = slot.ask(pool, "endless", 2, endless, Deadline::min());
  REQUIRE(stopped.problem);
  CHECK(isStopped(stopped.problem));
  CHECK_FALSE(stopped.pending); // nothing was started for the newer one
  // What is whole stays so, whichever job is stopped.
  slot.ask(
      pool, "quick", 4, [](const Run&) { return twice(4); }, soon());
  slot.ask(pool, "endless", 5, endless, Deadline::min());
  slot.ask(pool, "endless", 4, endless, Deadline::min());
  for (const auto& job : pool.active())
    job->stop();
  CHECK_FALSE(slot.ask(pool, "endless", 4, endless, Deadline::min()).problem);
  // An edit after that asks for the new one.
  const auto edited = slot.ask(
      pool, "quick", 3, [](const Run&) { return twice(3); }, soon());
  CHECK(*edited == 6);
}

TEST_CASE("Escape stops the running job and says so", "[shell]") {
  TestWindow window;
  std::latch started(1);
  window.bench().tasks.start("endless work", [&started](const Run& run) -> Finish {
    started.count_down();
    while (true)
      run.check();
  });
  started.wait();
  window.frame();
  window.frame();
  CHECK(window.shows("endless work"));
  window.play("key Esc\nwait\nframes 2\n");
  CHECK(window.says("stopped: endless work"));
  CHECK_FALSE(window.app().busy());
}

TEST_CASE("A requested size wins over the last one", "[shell]") {
  UiState remembered;
  remembered.width = 1100;
  remembered.height = 700;
  GuiOptions options;
  CHECK(startSize(options, remembered).width == 1100);
  CHECK(startSize(options, remembered).height == 700);
  options.size = WindowSize{1024, 640};
  CHECK(startSize(options, remembered).width == 1024);
  CHECK(startSize(options, remembered).height == 640);
}

} // namespace
} // namespace attention::gui
