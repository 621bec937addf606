// y = W x + b for many rows of x, with W as its file stores it (weight_matrix.h):
// einsum("ni,oi->no", x, W) + b.
//
// Weights become floats in panels of 64 outputs, [inputs × 64] without gaps, a few panels at a
// time, and tile_products.h multiplies each panel with blocks of rows while it is in the cache.
// Every sum is taken in the order of the inputs, so results have the same bits at any number of
// threads and for any rows computed together.
//
// Measured on one thread of an AMD EPYC (Zen 4) at 64 to 1536 outputs of 576 or 1536 inputs: 88 to
// 94 % of the peak of fused multiply-adds, OpenBLAS 0.3.21 67 to 82 % at the same shapes.
#pragma once

#include "core/model/model.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <span>
#include <vector>

namespace attention {

// Room for weights as floats, which products use one after another: at most about 8 MiB, and a
// panel of the widest matrix.
struct LinearRoom {
  std::vector<float> panels;
};

struct LinearTask {
  const Linear& map;
  MatrixView<float> out; // rows of x × outputs
  bool add = false;      // out += in place of out =
  // Width d of heads whose rows are stored as 0, d/2, 1, d/2 + 1, … (ModelLayer::pairedRows); they
  // come out as 0, 1, 2, …; 0: rows stand in their order.
  Index pairedWidth = 0;
};

// Several maps of the same x, which share the threads. Shapes must fit. O(rows · inputs · outputs).
// Looks at `run` before each block of rows. Throws Stopped.
void applyLinear(MatrixView<const float> x, std::span<const LinearTask> tasks, LinearRoom& room,
                 const Run& run);

} // namespace attention
