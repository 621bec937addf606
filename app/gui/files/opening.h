// Files that the user opens or drops on the window: scenes, pictures that carry one, inputs, masks,
// token labels. The ending and a first look tell what a file is; reading it is work for a job.
#pragma once

#include "app/gui/files/read_input.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {

// What opening files does to the document.
struct Opened {
  std::string label;                // "open mask.npy"
  std::optional<Scene> scene;       // a whole one …
  std::filesystem::path sceneFile;  // … and where it can be saved again (only JSON)
  std::function<void(Scene&)> edit; // or an edit of the current one …
  std::optional<InputSpec> suits;   // … as long as this is its input
  std::vector<std::string> warnings;
  std::string said = {}; // what else changed
  ReadInput read;        // of an edit that names an input
};

// Opens the files together: q.npy, k.npy and v.npy are one input, even where only one of them is
// named and the others lie beside it. A square array of 0 and 1, or of 0 and −∞, is a mask, and one
// without a name is attention weights (readsAsWeights) or all of Q, K and V; token labels go to the
// `present` input, or to the Scene where there is none. E_IO, E_UNSUPPORTED (an unknown ending),
// and what the readers throw.
Opened openFiles(std::span<const std::filesystem::path> files, const InputSpec& present,
                 const Run& run = {});

// The endings that openFiles reads.
std::vector<std::string> openEndings();

// Makes the pattern the mask of that file (S4.19), of several masks the one of the `present` layer
// and head. The bundled sample, where it is present, is closed if it has another number of tokens
// than the mask, or than the largest index of a list of pairs: its words are none of the mask's.
// E_TYPE, E_SHAPE, E_IO.
struct OpenedMask {
  std::function<void(Scene&)> edit;
  std::string said; // in sentences: that the sample was closed, where n comes from; may be empty
};
OpenedMask openMask(const std::filesystem::path& file, const std::string& operandPath,
                    const InputSpec& present);

} // namespace attention::gui
