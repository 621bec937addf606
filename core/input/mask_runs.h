// Runs of keys, built cell by cell. Used by the readers of masks only.
#pragma once

#include "core/pattern/value.h"

#include <vector>

namespace attention {

// Appends key j of query i. Cells come by queries, those of a query by keys; a repeated one counts
// once.
void appendCell(std::vector<QueryRun>& runs, Index i, Index j);

} // namespace attention
