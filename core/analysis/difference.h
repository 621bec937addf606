// Compares two patterns of the same lengths cell by cell: what only one of them attends to, what
// both do, and the first query for which they differ.
#pragma once

#include "core/pattern/prepared.h"

#include <memory>
#include <optional>

namespace attention {

struct Difference {
  Index onlyFirst = 0;
  Index onlySecond = 0;
  Index both = 0;
  std::optional<Index> firstRow;      // nothing if the patterns are equal
  double iou = 1;                     // both / union; 1 where both patterns are empty
  std::optional<Index> firstKey = {}; // of that query, the first key that only one of them has
  bool operator==(const Difference&) const = default;
};

// Exact. O(terms · log n) where the intersection has a closed form, else a sweep over all rows.
// E_SHAPE where the lengths differ; Stopped.
Difference difference(const std::shared_ptr<const Prepared>& first,
                      const std::shared_ptr<const Prepared>& second, int threads = 0,
                      const Run& run = {});

} // namespace attention
