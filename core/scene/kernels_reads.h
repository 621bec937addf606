// What a picture of the Kernels view is made of: other numbers of its spec change nothing in it.
#pragma once

#include "core/scene/kernels_spec.h"

namespace attention {

// Whether Â estimates A, by drawn projections; else it is attention by a kernel of its own, beside
// softmax.
bool estimatesA(const KernelsSpec& spec);

struct KernelsReads {
  bool drawn = false;   // projections, which the next seed draws again
  bool m = false;       // how many there are
  bool numbers = false; // Q, K and V, else their shapes alone
  bool lengths = true;  // L and d

  explicit KernelsReads(const KernelsSpec& spec);
};

} // namespace attention
