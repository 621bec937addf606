// What the commands that write pictures share: the Scene they show, its size and theme.
#pragma once

#include "app/cli/arguments.h"
#include "core/export/figure_file.h"
#include "core/input/input.h"
#include "core/scene/scene.h"

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace attention::cli {

// --size 1280x800. E_TYPE.
std::optional<PixelSize> sizeFrom(const Arguments& arguments);
// --size with that help, which is checked wherever it is given.
Flag sizeFlag(const std::string& help);

// --theme light or dark; light where it is absent, and where a page of HTML follows its reader.
// E_RANGE.
FigureTheme themeFrom(const Arguments& arguments);
// --theme of a page of HTML: light, dark or page, the default.
PageTheme pageThemeFrom(const Arguments& arguments);
Flag themeFlag();

// --text outlines or text: how .svg has its words. E_UNSUPPORTED for another ending of -o.
SvgWords svgWordsFrom(const Arguments& arguments);
Flag svgWordsFlag();

// Whether the file's ending is that of a drawn picture.
bool isPictureEnding(const std::string& path);

// Refuses picture flags that do not apply to the file; without a file they pass. E_UNSUPPORTED.
void requirePictureFlags(const Arguments& arguments, const std::string& path);

// --size, --standalone, --threads and --theme of a picture. E_TYPE, E_RANGE.
struct PictureOptions {
  FigureFileOptions file;
  FigureTheme theme = FigureTheme::Light;
};
PictureOptions pictureFrom(const Arguments& arguments);

// Prints one line about characters that no font has, for FigureFileOptions::onMissing.
std::function<void(const std::string& signs)> missingSayer(std::ostream& err,
                                                           const std::string& path);

// One line about a picture that is not exact.
void saySampled(std::ostream& err, const std::string& path);

// The figure of that name, the Scene of a file that ends with .json, the one inside a picture that
// this program has written, or that of a text that begins with a brace; unknown fields are reported
// on `err`. `lessons`: names that may be meant too, and are suggested. E_UNKNOWN, errors as
// readScene, E_TYPE for a picture without a Scene.
Scene sceneOf(const std::string& name, std::ostream& err,
              std::span<const std::string> lessons = {});

// The Scene's input, or null. A note names files that are not those that the Scene was saved with,
// and the Scene then says which they are now. Errors as openInput.
std::shared_ptr<const Input> inputOf(Scene& scene, std::ostream& notes, const Run& run);

// A Scene that is about to be written with a picture of this input says which files that were.
void rememberFiles(Scene& scene, const Input* input);

} // namespace attention::cli
