// The keys of a query that are shown one by one where there is no room for all: the largest, the
// nearest and those that somebody has chosen; what the others add stands in one line, so that sums
// stay true.
#pragma once

#include "core/support/integers.h"

#include <span>
#include <vector>

namespace attention {

constexpr std::size_t kMostShownKeys = 12;

struct ShownKeys {
  std::vector<Index> keys;   // rising
  std::vector<Index> others; // the rest of the visible ones, rising
};

// Of `visible` (rising) with a weight each: all where they are at most `most`; else the chosen ones
// that are visible, the nearest to `token` (a third of the room), and the largest weights by size.
// Ties go to the smaller key.
ShownKeys shownKeys(std::span<const Index> visible, std::span<const double> weights, Index token,
                    std::span<const Index> chosen = {}, std::size_t most = kMostShownKeys);

// Σ values[j] over some keys.
double sumOver(std::span<const Index> keys, std::span<const double> values);

} // namespace attention
