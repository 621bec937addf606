// The neighbours of graphs that have no closed form, drawn or listed (S4.12).
#pragma once

#include "core/pattern/mechanism/graph.h"
#include "core/pattern/row_table.h"

namespace attention {

// The attended cells without self loops, but with the listed ones where self loops are off.
std::shared_ptr<const RowTable> listedEdges(const Graph& graph);

// Watts and Strogatz: a ring whose edges are moved with probability p. E_RANGE beyond 2^27 edges.
std::shared_ptr<const RowTable> smallWorldEdges(const Graph& graph, Index n, const Run& run);

// G(n, p), cell by cell: whether (i, j), i ≠ j, is an edge. O(1).
bool randomEdge(const Graph& graph, Index n, Index i, Index j);

// All its edges; O(n²) time, n²/8 extra bytes (twice that where edges have a direction).
std::shared_ptr<const RowTable> randomEdges(const Graph& graph, Index n, const Run& run);

} // namespace attention
