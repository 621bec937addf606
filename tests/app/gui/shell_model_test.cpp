// The Model view in the whole window: what it says without a model, dropped files, stages and undo.
#include "app/gui/files/command_text.h"
#include "app/gui/views/model/model_results.h"
#include "core/views/view_unit.h"
#include "tests/app/gui/shell_window.h"
#include "tests/core/figure/tiny_model.h"

namespace attention::gui {
namespace {

const ModelResults& resultsOf(TestWindow& window) {
  return window.results().part<ModelResults>();
}

std::size_t rows(TestWindow& window) {
  return rowsOf(resultsOf(window).costs->costs).size();
}

} // namespace

TEST_CASE("Without a model the view says how to get one, and downloads nothing", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Model;
  TestWindow window(scene);
  CHECK(window.says("Drop a model (a .gguf file or a Hugging Face folder) on the window"));
  CHECK(window.says("tools/get_model.sh"));
  CHECK_FALSE(window.says("✗"));
  window.play("click \"View/Copy the command\"\nframes 3\n");
  CHECK(window.says("copied: tools/get_model.sh"));
}

TEST_CASE("A dropped model opens the Model view, and a dropped text is read by it", "[shell]") {
  const TinyModel tiny;
  writeText(tiny.path() / "text.txt", "it is a truth");
  TestWindow window;
  window.play("drop " + quoted(tiny.path().string()) + "\nframes 3\nwait\n");
  CHECK(window.scene().view == View::Model);
  CHECK(window.scene().model.model == tiny.path().string());
  window.play("drop " + quoted((tiny.path() / "text.txt").string()) + "\nframes 3\nwait\n");
  CHECK(window.scene().model.text == (tiny.path() / "text.txt").string());
  REQUIRE(resultsOf(window).costs);
  CHECK(resultsOf(window).tokens->ids.size() == 13);
  CHECK(window.says("What masks cost"));
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().model.text.empty());
}

TEST_CASE("A folder without a model is refused in a sentence", "[shell]") {
  const TemporaryFolder folder;
  TestWindow window;
  window.play("drop " + quoted(folder.path().string()) + "\nframes 3\nwait\n");
  CHECK(window.says("is a folder without config.json"));
  writeText(folder / "model.gguf", "no model");
  window.play("drop " + quoted((folder / "model.gguf").string()) + "\nframes 3\nwait\n");
  CHECK(window.scene().view != View::Model);
  CHECK(window.says("model.gguf"));
}

TEST_CASE("A variant is kept, changed by rules and taken back", "[shell]") {
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  REQUIRE(resultsOf(window).costs);
  CHECK(rows(window) == 2);
  CHECK(window.says("Local, window 4"));
  window.play("click \"Variants/+ keep as a variant\"\nwait\n");
  CHECK(rows(window) == 3);
  const auto kept = resultsOf(window).costs->costs.variants[1];
  const auto base = resultsOf(window).asItIs.value;
  window.play("set \"Variants/layers\" \"1\"\nframes 2\nclick \"recent/Causal\"\nwait\n"
              "click \"Variants/Apply the pattern\"\nwait\n");
  REQUIRE(window.scene().model.variants.size() == 1);
  CHECK(window.scene().model.variants[0].rules.size() == 2);
  CHECK(resultsOf(window).asItIs.value == base); // not computed again
  CHECK(resultsOf(window).costs->costs.variants[1] != kept);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().model.variants[0].rules.size() == 1);
}

TEST_CASE("Costs of an earlier pattern are not those of this one, and no job stays behind",
          "[shell]") {
  const TinyModel tiny;
  TestWindow window(tiny.scene());
  REQUIRE(isWhole(resultsOf(window).costs));
  const auto base = resultsOf(window).asItIs.value;
  window.play("click \"View/Layers\"\nwait\nclick \"recent/Causal\"\nwait\n");
  CHECK_FALSE(isWhole(resultsOf(window).costs)); // files compute their own
  CHECK_FALSE(resultsOf(window).costs.pending);
  window.play("click \"View/Costs\"\nwait\n");
  CHECK(isWhole(resultsOf(window).costs));
  CHECK(window.says("Causal"));
  CHECK(resultsOf(window).asItIs.value == base); // kept meanwhile
}

TEST_CASE("Wrong layers of a variant are reported and the last picture stays", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  TestWindow window(scene);
  REQUIRE(resultsOf(window).costs);
  scene.model.variants = {{"low", {{"0-7", "all", patternNamed("causal")}}}};
  window.bench().document.apply({"rule", [&](Scene& s) { s.model = scene.model; }});
  window.settle();
  CHECK(window.says("layers of low is \"0-7\""));
  CHECK(window.shows("View/Front"));
  CHECK_FALSE(window.results().shown.problem == std::nullopt);
}

TEST_CASE("The copied command has the text, the length and the variants", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.variants = {{"low", {{"0,2", "all", patternNamed("causal")}}}};
  const std::string command = commandText(scene, squareLengths(40));
  CHECK(command.starts_with("printf '%s' '[{\"name\":\"Local, window 4\""));
  CHECK(command.find("\"layers\":\"0,2\"") != std::string::npos);
  CHECK(command.find("\"causal\":true") != std::string::npos); // of a decoder
  CHECK(command.find("&& attnx model loss '" + tiny.path().string() +
                     "' --string 'it is a truth universally acknowledged th' --n 40 "
                     "--variants variants.json") != std::string::npos);
}

TEST_CASE("The words of the Model view do not overlap", "[shell]") {
  const TinyModel tiny;
  const auto [width, height] = GENERATE(std::pair(1440, 900), std::pair(1024, 640));
  for (const ModelPicture picture : {ModelPicture::Costs, ModelPicture::Layers}) {
    Scene scene = tiny.scene();
    scene.model.picture = picture;
    scene.model.variants = {{"a variant with a long name, longer than others", {}}};
    TestWindow window(scene, {}, {}, width, height);
    CHECK(overlappingWords(window).empty());
  }
}

} // namespace attention::gui
