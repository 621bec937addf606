// Scenes with values that nobody has checked, opened in the window: it says what is wrong, or shows
// it.
#include "tests/app/gui/shell_window.h"
#include "tests/core/scene/unchecked.h"
#include "tests/memory_limit.h"

#include "core/scene/scene_json.h"

#include <chrono>

namespace attention::gui {
namespace {

using test::badJson;
using test::badValues;
using test::everyField;

constexpr std::size_t kMemory = std::size_t{3} << 30; // bytes that a test may allocate
constexpr std::chrono::milliseconds kPatience{60};    // for the jobs of one Scene

// At least two frames, and more while jobs run, for a short time.
void look(TestWindow& window, const Scene& scene) {
  window.bench().document.open(scene, "bad");
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (int frames = 0;
       frames < 2 || (window.app().busy() && std::chrono::steady_clock::now() < until); ++frames)
    window.frame();
  for (const char* action : {"edit.copyCommand", "export.animation"})
    test::ask([&] { window.bench().actions.run(action, window.bench()); });
  window.frame();
  window.bench().overlay = {};
  window.bench().notices.clear();
}

// The view that shows this field of a Scene.
View viewOf(const std::string& pointer) {
  for (std::size_t view = 0; view < kViewNames.size(); ++view)
    if (pointer.starts_with("/" + std::string(kViewNames[view]) + "/"))
      return static_cast<View>(view);
  if (pointer.starts_with("/" + std::string(kFormerViewName) + "/")) // where its settings stand
    return View::Choosing;
  return pointer.starts_with("/input") || pointer.starts_with("/pins") ? View::Attention
                                                                       : View::Mask;
}

// After all of them the window still works.
void checkAlive(TestWindow& window) {
  window.bench().document.open(smallScene(), "good");
  window.settle();
  REQUIRE(window.results().masks);
  CHECK_FALSE(window.results().masks.stale);
}

TEST_CASE("No bad value of any field of a scene crashes the window", "[shell]") {
  const MemoryLimit memory(kMemory);
  TestWindow window(smallScene(), {}, {}, 800, 560);
  const nlohmann::json whole(toJson(everyField()));
  const nlohmann::json leaves = whole.flatten();
  for (const auto& [pointer, leaf] : leaves.items())
    for (const nlohmann::json& value : badJson()) {
      nlohmann::json changed = whole;
      changed[nlohmann::json::json_pointer(pointer)] = value;
      INFO(pointer << " = " << value);
      if (!kLimitsMemory && needsMemoryLimit(value.dump()))
        continue;
      try {
        Scene scene = sceneFromJson(changed).scene;
        scene.view = viewOf(pointer);
        look(window, scene);
      } catch (const Error&) { // refused by the reader
      }
    }
  checkAlive(window);
}

TEST_CASE("No bad value of any parameter crashes the window", "[shell]") {
  const MemoryLimit memory(kMemory);
  TestWindow window(smallScene(), {}, {}, 800, 560);
  Scene scene = smallScene();
  scene.input = everyField().input;
  scene.length = LengthSpec();
  for (const Pattern& pattern : allMechanisms())
    for (const Parameter& parameter : description(pattern).parameters)
      for (const Value& value : badValues()) {
        scene.pattern = pattern;
        INFO(description(pattern).name << "." << parameter.name);
        try {
          parameter.set(scene.pattern, value);
        } catch (const Error&) { // of another type
          continue;
        }
        look(window, scene);
      }
  checkAlive(window);
}

TEST_CASE("A scene whose buckets are 0 opens and says so", "[shell]") {
  Scene scene = smallScene();
  scene.input = aliceScene().input;
  scene.length = LengthSpec();
  scene.pattern = patternNamed("lsh");
  set(scene.pattern, "n_buckets", Value(IndexList{0, 3}));
  TestWindow window(scene);
  CHECK(window.says("n_buckets is 0"));
  window.play("set \"buckets b\" \"2\"\nwait\nset \"buckets b\" \"0\"\nwait\n");
  CHECK(window.says("n_buckets is 0"));
}

} // namespace
} // namespace attention::gui
