// Loading an Input from files: which array is which, and whether their shapes fit together. Used by
// loadInput only.
#pragma once

#include "core/input/input.h"

namespace attention {

// Everything but tokens given apart, description and the check of the model head. `batch` is the
// layer or batch that the spec chooses.
Input inputOfFiles(const FileInput& files, Index batch);

} // namespace attention
