// What the pictures of the Kernels view say in words and numbers.
#pragma once

#include "app/gui/view/kernels_shown.h"

namespace attention::gui {

// Fills heading, facts, warnings and reading from the spec and the answer, which is complete.
void addKernelsFacts(KernelsShown& shown);

} // namespace attention::gui
