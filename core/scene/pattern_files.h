// Scenes name files: given masks (S4.19), centroids, rotations, and inputs. Preparing a pattern
// needs the contents of its files: resolveFiles puts them in place of the names, only for
// preparing; the Scene keeps the names. Relative names in a Scene that was read from a file mean
// files beside it: placeFiles resolves them where scenes are read; without a file they mean the
// working folder.
#pragma once

#include "core/input/input.h"
#include "core/input/mask_file.h"
#include "core/pattern/heads.h"
#include "core/pattern/pattern.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention {

// `pattern` with the contents of every file that it or its operands name, read from `baseFolder`
// where the name is relative; the names stay. E_IO, E_TYPE, E_SHAPE and E_UNSUPPORTED as readMask
// and readArrays throw them. Reads every file again; memory O(runs) of masks.
Pattern resolveFiles(Pattern pattern, const std::filesystem::path& baseFolder = {},
                     const Run& run = {});

// `pattern` with `plane` as the choice of every mask file that it or its operands name without a
// choice (MaskReference), to be read.
Pattern withMaskPlane(Pattern pattern, const MaskPlane& plane);

// Whether a file has several masks, of layers or heads, and its name chooses none; and `pattern`
// with those of one batch and head of an input that has so many, to be read. A file of one axis of
// masks has one for each head, or for each batch where only their number fits. E_SHAPE: neither
// fits. Both read the files.
bool hasMasksOfPlanes(const Pattern& pattern, const Run& run = {});
Pattern withMasksOf(Pattern pattern, const MaskPlane& of, const Input& input, const Run& run = {});

// The heads of a mechanism (core/pattern/heads.h); of mask files from which `pattern` chooses a
// head, each head has its own mask, to be read. Throws as headPatterns; reads no file.
std::vector<Pattern> headPatternsOf(const Pattern& pattern, const HeadOptions& options, Index n);
// `pattern` with head 0 chosen of every mask file that has one for each head and chooses none; and
// how many heads, or layers, have masks in the file whose head or layer `pattern` chooses, 0 for
// none. They read files.
Pattern withHeadChosen(Pattern pattern, const Run& run = {});
Index headsOfMasks(const Pattern& pattern, const Run& run = {});
Index layersOfMasks(const Pattern& pattern, const Run& run = {});

// How a Scene names a mask file that is opened beside an input (null if there is none): an index
// along each axis of several masks, `chosen` where the mask has it. A single axis is one of layers
// where only their number is the input's.
MaskPlane planeAtOpening(const MaskAxes& mask, const InputSpec& chosen, const Input* input);

// Chooses a layer (batch) or head of the input, and of the masks that have several of them.
void choosePlane(Scene& scene, const MaskPlane& plane);

// The masks in the pattern and its operands, and whether it is made only of masks.
std::vector<MaskSource> masksOf(const Pattern& pattern);
bool isMadeOfMasks(const Pattern& pattern);

// Names of masks, matrices, inputs and token labels that are relative, as files in `folder`.
void placeFiles(Scene& scene, const std::filesystem::path& folder);

// The files that it names, each once: masks and matrices in its patterns, its input, and token
// labels.
std::vector<std::string> filesOf(const Scene& scene);

// The folder that a file lies in, absolute.
std::filesystem::path folderOf(const std::filesystem::path& file);

} // namespace attention
