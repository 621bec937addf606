// The Scene that made a picture travels inside the file: a text chunk of a PNG, a metadata element
// of an SVG, comment lines before the end of a PDF, a script element of a page of HTML. Opening
// such a file restores the Scene.
#pragma once

#include "core/scene/scene_json.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace attention {

// Keyword of the PNG chunk and id of the SVG element.
constexpr std::string_view kSceneKeyword = "attention-explorer-scene";

// The Scene as one line of ASCII JSON.
std::string sceneLine(const Scene& scene);

// The text of an SVG or PDF file with the Scene inserted; the text unchanged where there is no
// place for it.
std::string withSceneInSvg(std::string svg, const Scene& scene);
std::string withSceneInPdf(std::string pdf, const Scene& scene);

// The Scene inside a .png, .svg, .pdf or .html; nothing if there is none. E_IO: the file cannot be
// read. A broken Scene throws as in sceneFromText.
std::optional<ReadScene> sceneInFile(const std::filesystem::path& path);

// The same for the bytes of a file, recognised by its first bytes; `what` names it in errors.
std::optional<ReadScene> sceneInBytes(std::string_view bytes, std::string_view what);

// Whether `path` has the ending of a picture that may carry a Scene.
bool mayCarryScene(const std::filesystem::path& path);

// sceneInFile, and E_TYPE where there is none.
ReadScene sceneOfPicture(const std::filesystem::path& path);

} // namespace attention
