// Arrays of an input besides queries, keys and values: those that a mechanism names
// (Description::arrays), such as the queries and keys of an indexer. A file has them under their
// names, or one per layer (layer.0.index_q), in front of their own axes those of layers and heads
// that q has: [n, d], [heads, n, d], [layers, heads, n, d].
#pragma once

#include "core/input/input.h"
#include "core/pattern/value.h"

#include <map>
#include <string>
#include <vector>

namespace attention {

// The names that some mechanism takes.
std::vector<std::string> furtherNames();

// The arrays of one model head, as parameter values; the mechanism checks their shapes.
std::map<std::string, MatrixSource> furtherArrays(const Input& input, Index batch, Index head);

// Rows [first, first + rows) of an array.
MatrixSource rowsOf(const MatrixSource& array, Index first, Index rows);

} // namespace attention
