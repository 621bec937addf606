// A scene as text: words that stay readable, and invalid versions.
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "tests/catch.h"

#include <nlohmann/json.hpp>

using namespace attention;

namespace {

std::string refusal(const std::string& text) {
  try {
    sceneFromText(text, "scene");
  } catch (const Error& error) {
    return error.text();
  }
  return {};
}

} // namespace

TEST_CASE("a scene is written in plain UTF-8", "[scene]") {
  Scene scene;
  scene.title = "Größe √d";
  CHECK(toText(scene).find("\"Größe √d\"") != std::string::npos);
  CHECK(sceneFromText(toText(scene), "scene").scene.title == scene.title);
}

TEST_CASE("a scene without a version, or with one that is not an integer, is refused", "[scene]") {
  nlohmann::json json = nlohmann::json::parse(toText(Scene{}));
  for (const nlohmann::json& version :
       {nlohmann::json("1"), nlohmann::json(1.0), nlohmann::json(1.5), nlohmann::json(),
        nlohmann::json::array({1})}) {
    json["version"] = version;
    INFO(version);
    CHECK(refusal(json.dump()) ==
          "E_TYPE: scene has version " + version.dump() + "; it must be an integer");
  }
  json.erase("version");
  CHECK(refusal(json.dump()) == "E_TYPE: scene has no version; it must be an integer");
}
