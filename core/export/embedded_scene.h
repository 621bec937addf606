// The Scene that made a picture travels inside the file: a text chunk of a PNG, a metadata element
// of an SVG, comment lines before the end of a PDF. Opening such a file restores the Scene.
#pragma once

#include "core/scene/scene.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace attention {

// Keyword of the PNG chunk and id of the SVG element.
constexpr std::string_view kSceneKeyword = "attention-explorer-scene";

// The Scene as one line of ASCII JSON.
std::string sceneLine(const Scene& scene);

// The text of an SVG or PDF file with the Scene put in; the text as it is where it has no place.
std::string withSceneInSvg(std::string svg, const Scene& scene);
std::string withSceneInPdf(std::string pdf, const Scene& scene);

// The Scene inside a .png, .svg or .pdf; nothing where there is none. E_IO: the file cannot be
// read. A Scene that is there and broken throws as sceneFromText does.
std::optional<Scene> sceneInFile(const std::filesystem::path& path);

// The same of the bytes of a file, by their first bytes; `what` names it in errors.
std::optional<Scene> sceneInBytes(std::string_view bytes, std::string_view what);

// Whether `path` ends as pictures do that may carry a Scene.
bool mayCarryScene(const std::filesystem::path& path);

// sceneInFile, and E_TYPE where there is none.
Scene sceneOfPicture(const std::filesystem::path& path);

} // namespace attention
