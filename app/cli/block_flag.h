// --block of commands that look at tiles.
#pragma once

#include "app/cli/arguments.h"
#include "core/analysis/tiles/tile_counts.h"

namespace attention::cli {

// "128x64", or "128" for both; 128 x 128 where it is absent. E_TYPE; sizes are checked where they
// are used.
BlockSize blockFrom(const Arguments& arguments);

} // namespace attention::cli
