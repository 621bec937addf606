// Names in a file of Q, K and V: those that a field such as "q-name" chooses, those of layers
// ("layer.3.q"), and notes on what nobody reads, since it may change the scores or which keys a
// query sees.
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

// The array called `name`, by default as `usual` ("q"), or the only one. E_UNKNOWN about the field
// ("q-name") where it is missing.
Tensor namedArray(const ArrayFile& file, const std::string& name, const std::string& usual);
Tensor onlyOrNamed(const ArrayFile& file, const std::string& name, const std::string& usual);
// The same error where the file has no array of a chosen name, alone or in layers.
void requireNamed(const ArrayFile& file, const std::string& name, const std::string& usual);

// Adds, where there are queries, a note for each array and metadata key that speaks of masks or
// scores, and one that lists all others. Not named are texts that only describe the file, such as a
// title.
void noteUnused(Input& input, const ArrayFile& file, const FileInput& names);

} // namespace attention
