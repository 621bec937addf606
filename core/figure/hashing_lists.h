// The numbers behind the pictures of the Hashing view, for files.
#pragma once

#include "core/figure/csv_table.h"
#include "core/figure/hashing_figure.h"

#include <filesystem>

namespace attention {

// A line per round and token with its groups, places and chunk (and, of the sorting, where it is at
// the spec's moment); the attended pairs with the rounds that show them; the curves' points; the
// points on the circle by round. `answer` must be complete.
CsvTable hashingTable(const HashingSpec& spec, const HashingAnswer& answer);

// Int64 of the sorting: group and rank of every query, 2 × rounds × n, the least number there is
// (kNoGroup) for no group, since labels may be negative; float64 of the others: the colour numbers
// of the matrix in the sorted order, 0 where not attended, n × n; count, captured mass, recall,
// share of pairs and mass at random, points × 5; the shares by angle, points × 2. Replaces `path`
// only by a complete file. E_IO.
void writeHashingNpy(const HashingSpec& spec, const HashingAnswer& answer,
                     const std::filesystem::path& path);

} // namespace attention
