// Which tokens of an input are the same.
#pragma once

#include "core/input/input.h"

#include <vector>

namespace attention {

// A number for each key, equal for equal tokens: by the tokenizer's ids where the input has them,
// else by its pieces, else by the labels. Empty if it has none of them.
std::vector<Index> tokenNumbers(const Input& input);

} // namespace attention
