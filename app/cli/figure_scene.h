// The Scene that a command is about: a published figure, a file, or the Scene as it stands.
#pragma once

#include "core/scene/scene.h"

#include <iosfwd>
#include <string>

namespace attention::cli {

// The figure of that name, the Scene of a file that ends with .json, or that of a text that begins
// with a brace; fields that are not known are told on `err`. E_UNKNOWN, errors as readScene.
Scene sceneOf(const std::string& name, std::ostream& err);

} // namespace attention::cli
