// What a bias adds to the score of a query at token i and a key j. All that is known depends on the
// distance r = j − i, but for a term that is the same for all keys of a query:
//
//   b = table[clamp(r, −R, R) + R]                      tables (T5, Shaw et al. 2018)
//   b = before · r for r < 0, after · r for r ≥ 0       slopes (ALiBi)
//   and perToken · i, which only lse and a cap after it can see.
#pragma once

#include "core/support/integers.h"

#include <memory>
#include <string_view>
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

// ---- slopes of ALiBi (Press et al., arXiv 2108.12409) ----
//
// One per head: head h adds −m_h |i − j| to its scores, as distance alone decides.
//
//   standard   m_h = 2^(−8 (h + 1) / p) for h < p, the largest power of two that is at most H, then
//              2^(−8 (2 h + 1) / (2 p)) for the other H − p heads (the authors' code, BLOOM)
//   plain      m_h = 2^(−8 (h + 1) / H) (attention-gym); the same where H is a power of two

enum class AlibiSlopes { Standard, Plain };

// E_RANGE: not "standard" or "plain".
AlibiSlopes alibiSlopesNamed(std::string_view name);

// One per head. E_RANGE: heads not in 1 … 2^20.
std::vector<double> alibiSlopes(Index heads, AlibiSlopes kind = AlibiSlopes::Standard);

} // namespace attention
