// The layers of real models in the window.
#include "app/gui/views/reach/reach_results.h"
#include "core/pattern/mechanism/local.h"
#include "tests/app/gui/shell_window.h"

#include <algorithm>

namespace attention::gui {
namespace {

void drop(TestWindow& window, const std::filesystem::path& file) {
  window.play("drop " + quoted(file) + "\nframes 3\nwait\n");
}

TEST_CASE("One press stacks a model's layers, and others are told beside it", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Reach;
  TestWindow window(scene);
  window.play("set \"Layers/search models\" \"gemma 3 1b\"\nframes 3\n"
              "click \"model 1/Gemma 3 1B\"\nwait\n");
  CHECK(window.scene().reach.layers == 26);
  CHECK(window.scene().reach.stack.size() == 6);
  CHECK(window.scene().length.n == 2048);
  CHECK(window.says("22 sliding, window 512; 4 full; these are the layers shown"));
  window.play("set \"Layers/search models\" \"kimi\"\nframes 3\nclick \"model 1/beside\"\nwait\n");
  const Latest<ModelsAnswer>& models = window.results().part<ReachResults>().models;
  REQUIRE(models);
  CHECK(models->models.size() == 2);
  CHECK_FALSE(models->models[1].pairs);
  CHECK(window.shows("View/KV cache"));
  window.play("click \"told 2/remove\"\nwait\n");
  CHECK(window.scene().reach.models.size() == 1);
  CHECK(window.scene().reach.layers == 26);
}

TEST_CASE("A model has one colour in the growth of its reach and in its cache", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Reach;
  scene.length.n = 64;
  scene.reach.beside = {{"", Local{4, true}}};
  scene.reach.models = {{"qwen2.5-7b", {}}, {"mistral-7b-v0.1", {}}};
  TestWindow window(scene);
  const ReachResults& results = window.results().part<ReachResults>();
  REQUIRE(results.models);
  for (const ModelFacts& model : results.models->models) {
    const auto& growth = results.layers->answer.growth;
    const auto curve = std::find_if(growth.begin(), growth.end(), [&](const ReachGrowth& of) {
      return of.label == model.stack.title;
    });
    REQUIRE(curve != growth.end());
    CHECK(curve->hue == model.hue);
  }
}

TEST_CASE("A config.json that is dropped becomes the stack, or says what is wrong", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "config.json",
            R"({"model_type": "gemma2", "num_hidden_layers": 4, "sliding_window": 64,
                "num_key_value_heads": 2, "head_dim": 8})");
  TestWindow window;
  drop(window, folder / "config.json");
  CHECK(window.scene().view == View::Reach);
  CHECK(window.scene().reach.layers == 4);
  CHECK(window.says("2 sliding, window 64; 2 full; these are the layers shown"));
  const Scene before = window.scene();
  writeText(folder / "config.json", R"({"num_hidden_layers": 4})");
  drop(window, folder / "config.json");
  CHECK(window.says("model_type is missing"));
  CHECK(window.scene() == before);
}

} // namespace
} // namespace attention::gui
