// What the Model view shows, as a part of the Scene.
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <limits>

using namespace attention;

namespace {

ModelSpec twoVariants() {
  ModelSpec spec;
  spec.model = "SmolLM2-135M-Instruct.Q4_1";
  spec.text = "pride.txt";
  spec.n = 256;
  spec.own = false;
  spec.chosen = 1;
  spec.picture = ModelPicture::Layers;
  spec.variants = {
      {"window", {{"all", "all", patternNamed("local")}}},
      {"low window", {{"0-9,12", "all", patternNamed("local")}, {"29", "0,3", Pattern()}}}};
  return spec;
}

std::string refused(const ModelSpec& spec) {
  return codeAndSubject([&] { check(spec); });
}

} // namespace

TEST_CASE("a model, its text and its variants come back from JSON", "[scene]") {
  Scene scene;
  scene.view = View::Model;
  scene.model = twoVariants();
  const ReadScene read = sceneFromText(toText(scene), "scene");
  CHECK(read.warnings.empty());
  CHECK(read.scene == scene);
  scene.model.typed = "It is a truth universally acknowledged";
  scene.model.ids = {3, 1, 4};
  CHECK(sceneFromText(toBriefJson(scene).dump(), "scene").scene == scene);
}

TEST_CASE("a rule without layers and heads is for all of them", "[scene]") {
  const ReadScene read = sceneFromText(
      R"({"type": "attention-explorer scene", "version": 1, "view": "model", "model": {"variants":
          [{"name": "a", "rules": [{"pattern": {"mechanism": "causal", "params": {}}}]}]}})",
      "scene");
  CHECK(read.warnings.empty());
  REQUIRE(read.scene.model.variants.size() == 1);
  CHECK(read.scene.model.variants[0].rules ==
        std::vector<ModelRuleSpec>{{"all", "all", patternNamed("causal")}});
}

TEST_CASE("bad values of a model are refused by name", "[scene]") {
  CHECK(refused({}).empty());
  CHECK(refused(twoVariants()).empty());
  const auto with = [](auto change) {
    ModelSpec spec = twoVariants();
    change(spec);
    return refused(spec);
  };
  CHECK(with([](ModelSpec& s) { s.n = 0; }) == "E_RANGE model.n");
  CHECK(with([](ModelSpec& s) { s.n = kMostModelTokens + 1; }) == "E_RANGE model.n");
  CHECK(with([](ModelSpec& s) { s.ids = {3, -1}; }) == "E_RANGE model.ids");
  CHECK(with([](ModelSpec& s) { s.chosen = 2; }) == "E_RANGE model.chosen");
  CHECK(with([](ModelSpec& s) { s.variants[1].name = "window"; }) ==
        "E_RANGE model.variants[1].name");
  CHECK(with([](ModelSpec& s) { s.variants[0].name.clear(); }) == "E_RANGE model.variants[0].name");
  CHECK(with([](ModelSpec& s) {
          s.variants.resize(5, {"one more", {}});
        }) == "E_RANGE model.variants");
  CHECK(with([](ModelSpec& s) { s.variants[1].rules[0].layers = "9-0"; }) ==
        "E_RANGE model.variants[1].rules[0].layers");
  CHECK(with([](ModelSpec& s) { s.variants[1].rules[1].heads = "every"; }) ==
        "E_TYPE model.variants[1].rules[1].heads");
  CHECK(with([](ModelSpec& s) { s.variants[1].rules[1].heads = ""; }) ==
        "E_TYPE model.variants[1].rules[1].heads");
  CHECK(with([](ModelSpec& s) { s.variants[1].rules[1].heads = "kv0-2,7"; }).empty());
  CHECK(with([](ModelSpec& s) { s.variants[1].rules[1].layers = "kv0"; }) ==
        "E_TYPE model.variants[1].rules[1].layers");
}

TEST_CASE("a model's fields of the wrong type are refused by name", "[scene]") {
  const auto read = [](const std::string& model) {
    return codeAndSubject([&] {
      sceneFromText(R"({"type": "attention-explorer scene", "version": 1, "model": )" + model + "}",
                    "scene");
    });
  };
  CHECK(read("3") == "E_TYPE scene: model");
  CHECK(read(R"({"n": "many"})") == "E_TYPE scene: model.n");
  CHECK(read(R"({"picture": "bars"})") == "E_RANGE scene: model.picture");
  CHECK(read(R"({"variants": {}})") == "E_TYPE scene: model.variants");
}

TEST_CASE("heads of a layer that are given one pattern after another are one rule", "[scene]") {
  ModelSpec spec;
  const Pattern local = patternNamed("local");
  for (const char* heads : {"3", "kv1", "3"})
    giveHeads(spec, local, 2, heads);
  REQUIRE(spec.variants.size() == 1);
  CHECK(spec.variants[0].rules == std::vector<ModelRuleSpec>{{"2", "3,kv1", local}});
  giveHeads(spec, local, 2, "all");
  giveHeads(spec, local, 2, "0");
  giveHeads(spec, local, 1, "0");
  giveHeads(spec, patternNamed("causal"), 1, "0");
  CHECK(spec.variants[0].rules.size() == 5);
  CHECK_NOTHROW(check(spec));
}

TEST_CASE("the chosen variant is one that there is", "[scene]") {
  ModelSpec spec;
  CHECK_FALSE(chosenVariant(spec));
  spec = twoVariants();
  for (const Index chosen : {Index{1}, Index{7}, std::numeric_limits<Index>::max()}) {
    spec.chosen = chosen;
    CHECK(chosenVariant(spec) == 1);
  }
  spec.chosen = -3;
  CHECK(chosenVariant(spec) == 0);
}

TEST_CASE("a scene finds its text and its model beside it", "[scene]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "attention-model-spec";
  fs::create_directories(folder);
  std::ofstream(folder / "tiny.gguf") << "GGUF";
  Scene scene;
  scene.model = twoVariants();
  placeFiles(scene, folder);
  CHECK(scene.model.text == (folder / "pride.txt").string());
  CHECK(scene.model.model == "SmolLM2-135M-Instruct.Q4_1"); // a name
  CHECK(filesOf(scene) == std::vector<std::string>{(folder / "pride.txt").string()});
  scene.model.model = "tiny.gguf";
  placeFiles(scene, folder);
  CHECK(scene.model.model == (folder / "tiny.gguf").string());
  fs::remove_all(folder);
}
