// What a bias adds to the score of a query at token i and a key j. All that is known depends on the
// distance r = j − i, but for a term that is the same for all keys of a query:
//
//   b = table[clamp(r, −R, R) + R]                      tables (T5, Shaw et al. 2018)
//   b = before · r for r < 0, after · r for r ≥ 0       slopes (ALiBi)
//   and perToken · i, which only lse and a cap after it can see.
#pragma once

#include "core/support/integers.h"

#include <memory>
#include <vector>

namespace attention {

struct PositionBias {
  double before = 0;
  double after = 0;
  double perToken = 0;
  std::shared_ptr<const std::vector<double>> table = {}; // 2 R + 1 numbers; null: slopes

  bool none() const { return !table && before == 0 && after == 0 && perToken == 0; }
  Index radius() const { return static_cast<Index>(table->size() / 2); } // R; there is a table

  // b; O(1).
  double at(Index token, Index key) const;
  bool operator==(const PositionBias& other) const; // of equal numbers
};

} // namespace attention
