// The blocks that radial attention's code computes (T5): those in which enough columns of a pair of
// frames hold enough of its band.
#pragma once

#include "core/pattern/mechanism/radial.h"
#include "core/pattern/row_table.h"

#include <memory>

namespace attention {

// For n tokens, of which the block size is a divisor; checked parameters. O((n / b)² + edges · b).
std::shared_ptr<const RowTable> radialBlocks(const Radial& radial, Index n, const Run& run);

} // namespace attention
