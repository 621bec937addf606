// The Scene that a command is about: a published figure, a file, a picture, or JSON on the command
// line.
#pragma once

#include "core/scene/scene.h"

#include <iosfwd>
#include <string>

namespace attention::cli {

// The figure of that name, the Scene of a file that ends with .json, the one inside a picture that
// this program has written, or that of a text that begins with a brace; fields that are not known
// are told on `err`. E_UNKNOWN, errors as readScene, E_TYPE for a picture without a Scene.
Scene sceneOf(const std::string& name, std::ostream& err);

} // namespace attention::cli
