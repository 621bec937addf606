// Scenes as JSON, with type and version. Missing fields take their defaults, unknown ones are
// reported as warnings, newer versions are refused.
#pragma once

#include "core/scene/scene.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

constexpr int kSceneVersion = 1;

nlohmann::ordered_json toJson(const Scene& scene);
// Without what a reader takes for what is missing: the same Scene, short enough for a command line.
nlohmann::ordered_json toBriefJson(const Scene& scene);
std::string toText(const Scene& scene); // indented, with a final newline

struct ReadScene {
  Scene scene;
  std::vector<std::string> warnings; // one per unknown field
};

// Throws E_TYPE (not JSON, not a scene, wrong types), E_UNSUPPORTED (newer version), E_RANGE,
// E_UNKNOWN (mechanism, parameter). `what` names the text in errors.
ReadScene sceneFromJson(const nlohmann::json& json, std::string_view what = "scene",
                        const char* joint = ": ");
ReadScene sceneFromText(std::string_view text, std::string_view what = "scene");

// Relative names of files in it become those of files beside `path`, absolute. E_IO where the file
// is missing or unreadable.
ReadScene readScene(const std::filesystem::path& path);
void writeScene(const Scene& scene, const std::filesystem::path& path);

} // namespace attention
