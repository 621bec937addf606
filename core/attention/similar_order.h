// An order of the queries that brings those together that see similar sets of keys, for patterns
// whose neighbours share little and that name no order of their own (unions of clusters, masks from
// files): by two min-hashes of the row, equal for two rows with the probability that their sets'
// overlap is of their union (Broder 1997).
#pragma once

#include "core/attention/tile_plan.h"
#include "core/support/run.h"

#include <functional>
#include <vector>

namespace attention {

// Gives the keys of a query.
using RowSource = std::function<void(Index i, KeyRanges& ranges)>;

// Empty where the queries are better taken in their own order: blocks share enough, or have combs,
// or a sample of the rows has too few alike. O(an eighth of the rows), else O(rows · log rows). The
// same at any number of threads. Throws Stopped.
std::vector<Index> similarOrder(const RowSource& row, Index queries, BlockPlanner& planner,
                                int threads, const Run& run);

} // namespace attention
