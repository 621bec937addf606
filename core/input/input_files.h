// Loading an Input from files: which array is which, and whether their shapes fit together. Used by
// loadInput; checkFiles also where somebody names files.
#pragma once

#include "core/input/input.h"

namespace attention {

// Whether exactly one of the sets of files is named, whole. E_TYPE.
void checkFiles(const FileInput& files);

// Everything but tokens given apart, description and the check of the model head. `batch` is the
// layer or batch that the spec chooses.
Input inputOfFiles(const FileInput& files, Index batch, const Run& run = {});

} // namespace attention
