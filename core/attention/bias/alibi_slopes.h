// Slopes of ALiBi (Press et al., arXiv 2108.12409), one per head: head h adds −m_h |i − j| to its
// scores, as distance alone decides.
//
//   standard   m_h = 2^(−8 (h + 1) / p) for h < p, the largest power of two that is at most H, then
//              2^(−8 (2 h + 1) / (2 p)) for the other H − p heads (the authors' code, BLOOM)
//   plain      m_h = 2^(−8 (h + 1) / H) (attention-gym); the same where H is a power of two
#pragma once

#include "core/support/integers.h"

#include <string_view>
#include <vector>

namespace attention {

enum class AlibiSlopes { Standard, Plain };

// E_RANGE: not "standard" or "plain".
AlibiSlopes alibiSlopesNamed(std::string_view name);

// One per head. E_RANGE: heads not in 1 … 2^20.
std::vector<double> alibiSlopes(Index heads, AlibiSlopes kind = AlibiSlopes::Standard);

} // namespace attention
