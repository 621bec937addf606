// Shared by the readers of masks, and used by nothing else: runs of keys built cell by cell, and
// tables of cells with what pandas writes around them: the numbers or labels of rows and columns,
// True and False.
#pragma once

#include "core/input/mask_file.h"
#include "core/pattern/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// Additive masks hold −∞, the dtype's minimum (transformers), −10⁴ (BERT; in bfloat16 it is −9984)
// or −10⁹ (tensor2tensor).
constexpr bool isForbidden(double value) {
  return value <= -1e4 || value == -9984;
}

// Appends key j of query i. Cells come by queries, those of a query by keys; a repeated one counts
// once.
void appendCell(std::vector<QueryRun>& runs, Index i, Index j);

// The first cell that is there more than once.
std::optional<MaskCell> listedTwice(std::vector<MaskCell> cells);

// 0 and 1, or what an additive mask holds; True and False are 1 and 0. Nothing for other words.
std::optional<double> maskCell(std::string_view field);

// Whether a file is such a table, by its first lines: its columns are numbered 0, 1, 2 … or
// labelled behind an index column, or its cells are True and False, or -inf. Two columns need a
// heading query,0,1 or the labels of both, since pairs with an index look the same.
bool beginsMaskTable(std::string_view text);

// Labels of rows must equal those of the columns, and numbers of rows must be 0, 1, 2 ….
// E_UNSUPPORTED: they are not, or a field is not a cell; E_SHAPE: lines of different lengths;
// E_TYPE as maskOf.
MaskFile parseMaskTable(std::string_view text, const std::string& file, const Run& run);

} // namespace attention
