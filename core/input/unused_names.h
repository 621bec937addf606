// What a file of Q, K and V holds and nobody reads: it is named, since it may change the scores or
// which keys a query sees.
#pragma once

#include "core/input/array_file.h"
#include "core/input/input.h"

namespace attention {

// The layer and name of "layer.3.q" and "layers.3.q".
struct LayerArray {
  Index layer = 0;
  std::string name;
};
std::optional<LayerArray> layerArray(const std::string& name);

// Adds, where there are queries, a note for each array and metadata key that speaks of masks or
// scores, and one that lists all others. Not named are texts that only describe the file, such as a
// title.
void noteUnused(Input& input, const ArrayFile& file, const FileInput& names);

} // namespace attention
