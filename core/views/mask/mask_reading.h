// What to see in the picture of a mask, in a few sentences computed from it: how the keys of a
// query lie, how many queries see the first key and how many one in the middle, what each of two
// parts gives.
#pragma once

#include "core/analysis/metrics.h"
#include "core/analysis/row_statistics.h"
#include "core/pattern/prepared.h"

#include <string>
#include <vector>

namespace attention {

// For a mask whose exact counts are `rows`; nothing if counting would take long. Throws Stopped.
// The first sentence is about a query chosen here: the last of a causal mask, or the middle.
std::vector<std::string> readMask(const Prepared& prepared, const RowStatistics& rows, Base base,
                                  const Run& run = {});
// The same sentence for another query: a pinned one. O(log n) counts of a row.
std::string readQuery(const Prepared& prepared, Index query, Base base);

} // namespace attention
