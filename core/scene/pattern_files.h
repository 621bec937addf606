// Patterns name files (a given mask, S4.19; centroids; rotations); preparing wants what they hold.
// This puts it in the place of the names, for preparing alone: the Scene keeps the names.
#pragma once

#include "core/scene/scene.h"

#include <filesystem>

namespace attention {

// `pattern` with what every file holds that it or its operands name, read from
// `baseFolder` where the name is relative; the names stay beside the cells. E_IO, E_TYPE, E_SHAPE
// and E_UNSUPPORTED as readMask throws them.
Pattern resolveFiles(Pattern pattern, const std::filesystem::path& baseFolder = {});

// The Scene with absolute names of the mask files of its patterns, as they are meant from
// `baseFolder`: a Scene that leaves its folder, into a window, keeps its files.
Scene withAbsoluteFiles(Scene scene, const std::filesystem::path& baseFolder);

} // namespace attention
