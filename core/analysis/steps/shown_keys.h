// The keys of a query that are shown one by one where not all fit: the largest, the nearest and the
// chosen ones; what the others add goes into one line, so that sums stay true.
#pragma once

#include "core/support/integers.h"

#include <span>
#include <vector>

namespace attention {

constexpr std::size_t kMostShownKeys = 12;

struct ShownKeys {
  std::vector<Index> keys;   // ascending
  std::vector<Index> others; // the rest of the visible ones, ascending
};

// From `visible` (ascending) with a weight each: all if there are at most `most`; else the chosen
// ones that are visible, the nearest to `token` (a third of the room), and those with the largest
// weights in size. Ties go to the smaller key.
ShownKeys shownKeys(std::span<const Index> visible, std::span<const double> weights, Index token,
                    std::span<const Index> chosen = {}, std::size_t most = kMostShownKeys);

// Σ values[j] over some keys.
double sumOver(std::span<const Index> keys, std::span<const double> values);

} // namespace attention
