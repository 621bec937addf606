#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/scene/scene_json.h"

#include "core/input/assets.h"
#include "core/scene/figures.h"
#include "core/support/error.h"

#include "tests/catch.h"

#include <nlohmann/json.hpp>

using namespace attention;

namespace {

using Json = nlohmann::json;

Scene busyScene() {
  Scene scene;
  scene.title = "Strided";
  scene.caption = "stride 12";
  scene.pattern = Strided{12, Factor::Second, Strided::Reading::Code, false};
  scene.length = {144, 100, Align::BottomRight};
  RandomInput sinks;
  sinks.generator = "sinks";
  sinks.parameters = {{"sink", {2, 3}}, {"near_span", {8}}};
  scene.input.source = sinks;
  scene.mask.heads = {HeadsShown::SideBySide, 3, true, 2, {1, 2, 3}};
  scene.mask.weights = WeightsShown::Sum;
  scene.mask.image = {true, 12, 12};
  scene.attention.picture = AttentionPicture::Heads;
  scene.attention.of = WeightsOf::Logits;
  scene.kernels.errorOf = KernelsErrorOf::Layers;
  scene.kernels.layers = 9;
  scene.paper = "Child et al. 2019";
  scene.labels = {"The", "cat"};
  scene.mask.panels = {{"(a) full", Pattern(Full{}), {{"all", 2}}, {"q2", "q1"}, {"k1"}},
                       {"(b)", Pattern(Compose(Operation::Union, {Local{}, Causal{}}))}};
  scene.camera = Camera{10.5, 20.25, 30};
  scene.pins = {7, 3};
  return scene;
}

ErrorCode codeOf(const std::string& text) {
  try {
    sceneFromText(text);
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("no error");
  return ErrorCode::Io;
}

} // namespace

TEST_CASE("A scene comes back from its JSON unchanged", "[scene]") {
  for (const Scene& scene : {Scene{}, busyScene()}) {
    const ReadScene read = sceneFromText(toText(scene));
    CHECK(read.scene == scene);
    CHECK(read.warnings.empty());
  }
}

namespace {

Json withoutField(Json json, const Json::json_pointer& at) {
  json.at(at.parent_pointer()).erase(at.back());
  return json;
}

// Every field of `within`, which is a part of `whole`, changes what is read.
void checkNeeded(const Json& whole, const Scene& scene, const Json::json_pointer& at) {
  for (const auto& [name, value] : whole.at(at).items()) {
    if (name == "type" || name == "version" || name == "pattern" || name == "kind" ||
        name == "generator") // what a thing is, is always said
      continue;
    INFO((at / name).to_string());
    CHECK_FALSE(sceneFromJson(withoutField(whole, at / name)).scene == scene);
    if (value.is_object())
      checkNeeded(whole, scene, at / name);
  }
}

} // namespace

TEST_CASE("A brief scene is the same one and says nothing that is meant anyhow", "[scene]") {
  CHECK(toBriefJson(Scene{}).dump() == R"({"type":"attention-explorer scene","version":1})");
  std::vector<Scene> scenes{Scene{}, busyScene()};
  for (const ShippedFigure& figure : listFigures(assetFolder()))
    scenes.push_back(findFigure(assetFolder(), figure.name));
  REQUIRE(scenes.size() > 30);
  for (const Scene& scene : scenes) {
    const Json brief = toBriefJson(scene);
    INFO(brief.dump());
    const ReadScene read = sceneFromJson(brief);
    CHECK(read.scene == scene);
    CHECK(read.warnings.empty());
    CHECK(brief.dump().size() < toJson(scene).dump().size());
    checkNeeded(brief, scene, Json::json_pointer());
  }
}

TEST_CASE("Missing fields take defaults and unknown ones are told", "[scene]") {
  const ReadScene read = sceneFromText(
      R"({"type": "attention-explorer scene", "version": 1, "mask": {"zoom": 3}, "colour": "red"})");
  CHECK(read.scene == Scene{});
  REQUIRE(read.warnings.size() == 2);
  CHECK(read.warnings[0] == "scene: mask.zoom is not known and was left out");
  CHECK(read.warnings[1] == "scene: colour is not known and was left out");
}

TEST_CASE("Fields that an input of its kind does not have are reported", "[scene]") {
  const auto warningsOf = [](const std::string& input) {
    return sceneFromText(R"({"type": "attention-explorer scene", "version": 1, "input": )" + input +
                         "}")
        .warnings;
  };
  CHECK(warningsOf(R"({"kind": "random", "n": 9, "n_k": 4, "tokens": "t", "content_hash": "1-a",
                       "parameters": {}})")
            .empty());
  CHECK(warningsOf(R"({"kind": "files", "q": "q.npy", "wo": "o.npy", "heads": 2})").empty());
  CHECK(warningsOf(R"({"kind": "sample", "name": "minilm_alice", "batch": 1})").empty());
  CHECK(warningsOf(R"({"kind": "random", "bath": 2, "q": "q.npy"})") ==
        std::vector<std::string>{"scene: input.bath is not known and was left out",
                                 "scene: input.q is not known and was left out"});
  CHECK(warningsOf(R"({"kind": "sample", "seed": 2})").size() == 1);
  const std::string typed =
      R"({"kind": "typed", "words": ["a"], "q": [[1]], "k": [[1]], "v": [[1]])";
  CHECK(warningsOf(typed + "}").empty());
  CHECK(warningsOf(typed + R"(, "heads": 2})").size() == 1);
  CHECK(warningsOf(R"({"batch": 1, "head": 2})").empty());
}

TEST_CASE("Scenes of newer versions and other files are refused", "[scene]") {
  CHECK(codeOf(R"({"type": "attention-explorer scene", "version": 2})") == ErrorCode::Unsupported);
  CHECK(codeOf(R"({"type": "something else", "version": 1})") == ErrorCode::Type);
  CHECK(codeOf("[1, 2]") == ErrorCode::Type);
  CHECK(codeOf("{") == ErrorCode::Type);
  CHECK(codeOf(R"({"type": "attention-explorer scene", "version": 1, "pins": {"query": "a"}})") ==
        ErrorCode::Type);
  CHECK(codeOf(R"({"type": "attention-explorer scene", "version": 1, "view": "mirror"})") ==
        ErrorCode::Range);
  CHECK(codeOf(std::string(100000, '[')) == ErrorCode::Type);
}

TEST_CASE("Copies of a Scene share its labels", "[scene]") {
  const Scene scene = busyScene();
  const Scene copy = scene; // NOLINT(performance-unnecessary-copy-initialization): what is tested
  CHECK(copy.labels.get().data() == scene.labels.get().data());
}

TEST_CASE("Camera and pins are not part of the document", "[scene]") {
  Scene moved = busyScene();
  moved.camera.reset();
  moved.pins = {};
  CHECK(sameDocument(busyScene(), moved));
  moved.length.n = 145;
  CHECK_FALSE(sameDocument(busyScene(), moved));
}

TEST_CASE("Images are as square as n allows unless their shape is given", "[scene]") {
  CHECK(imageShape({}, 144) == std::pair<Index, Index>(12, 12));
  CHECK(imageShape({}, 128) == std::pair<Index, Index>(8, 16));
  CHECK(imageShape({}, 7) == std::pair<Index, Index>(1, 7));
  CHECK(imageShape({true, 4, std::nullopt}, 128) == std::pair<Index, Index>(4, 32));
  CHECK_THROWS_AS(imageShape({true, 5, std::nullopt}, 128), Error);
}

TEST_CASE("A Choosing view that states no picture opens on what its pattern does", "[scene]") {
  const auto pictureOf = [](const std::string& view, const std::string& mechanism,
                            const std::string& choosing) {
    const Scene scene =
        sceneFromText(R"({"type": "attention-explorer scene", "version": 1, "view": ")" + view +
                          R"(", "pattern": {"mechanism": ")" + mechanism + "\"}" + choosing + "}",
                      "scene")
            .scene;
    for (const std::string& text : {toText(scene), toBriefJson(scene).dump()})
      CHECK(sceneFromText(text, "scene").scene == scene);
    return scene.choosing.picture;
  };
  CHECK(pictureOf("choosing", "moba", "") == ChoosingPicture::Scores);
  CHECK(pictureOf("choosing", "moba", R"(, "choosing": {"round": 1})") == ChoosingPicture::Scores);
  CHECK(pictureOf("choosing", "cache", "") == ChoosingPicture::Cache);
  CHECK(pictureOf("choosing", "lsh", "") == ChoosingPicture::Sorting);
  CHECK(pictureOf("mask", "moba", "") == ChoosingPicture::Sorting);
  // What is stated stays.
  CHECK(pictureOf("choosing", "moba", R"(, "choosing": {"picture": "budget"})") ==
        ChoosingPicture::Budget);
  CHECK(pictureOf("choosing", "moba", R"(, "hashing": {"picture": "sorting"})") ==
        ChoosingPicture::Sorting);
}
