// Scenes name files: given masks (S4.19), centroids, rotations, and inputs. Preparing a pattern
// wants what its files hold: resolveFiles puts it in the place of the names, for preparing alone;
// the Scene keeps the names. Relative names in a Scene that was read from a file mean files beside
// it: placeFiles makes them so, where scenes are read; a Scene without a file means the working
// folder.
#pragma once

#include "core/pattern/pattern.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention {

// `pattern` with what every file holds that it or its operands name, read from `baseFolder` where
// the name is relative; the names stay beside it. E_IO, E_TYPE, E_SHAPE and E_UNSUPPORTED as
// readMask and readArrays throw them. Reads every file anew; memory O(runs) of masks.
Pattern resolveFiles(Pattern pattern, const std::filesystem::path& baseFolder = {},
                     const Run& run = {});

// Names of masks, matrices, inputs and token labels that are relative, as files in `folder`.
void placeFiles(Scene& scene, const std::filesystem::path& folder);

// The files that it names, each once: of masks and matrices in its patterns, of its input, and of
// token labels.
std::vector<std::string> filesOf(const Scene& scene);

// The folder that a file lies in, absolute.
std::filesystem::path folderOf(const std::filesystem::path& file);

} // namespace attention
