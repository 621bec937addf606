// How many keys the queries have: least, most, mean, and rows without any. For patterns in closed
// form and lists of blocks, lines and documents, the number of keys between a few breakpoints is a
// line plus a periodic part, so that one period at either end of every stretch determines all rows:
// exact, in milliseconds at n = 2^24.
#pragma once

#include "core/pattern/prepared.h"

#include <cstdint>

namespace attention {

struct RowStatistics {
  Index minimum = 0;
  Index maximum = 0;
  double mean = 0;
  Index emptyRows = 0;   // where not exact: of the sampled rows, scaled up and rounded
  Index pairs = 0;       // as emptyRows
  bool exact = true;     // false where rows were sampled
  Index sampledRows = 0; // if so, how many
  bool operator==(const RowStatistics&) const = default;
};

struct RowStatisticsOptions {
  // The most rows to examine; where a pattern without a shortcut has more, rows are sampled
  // (sampled_rows.h). The default never samples.
  Index rowBudget = kMaxLength;
  std::uint64_t seed = 0; // of the sampled rows
  int threads = 0;
};

// A budget for interactive use: no limit where counting need not visit every cell, or up to 16 384
// rows; beyond that, as many rows as hold the cells of a mask of that size.
Index affordableRows(const Prepared& pattern);

// Throws Stopped, and E_EXPR for a formula that cannot be evaluated.
RowStatistics rowStatistics(const Prepared& pattern, const RowStatisticsOptions& options = {},
                            const Run& run = {});

} // namespace attention
