// Strided factorized attention of the Sparse Transformer (S4.7; Child et al. 2019, §4.3): A¹ is the
// previous l positions, A² every l-th one.
#pragma once

#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Strided {
  enum class Reading { Paper, Code }; // A¹ has l + 1 positions, or l

  std::optional<Index> stride; // √n rounded, if not given
  Factor head = Factor::Union;
  Reading reading = Reading::Paper;
  bool causal = true;
  bool operator==(const Strided&) const = default;
};

const Description& describe(const Strided&);
std::shared_ptr<const Prepared> prepared(const Strided& strided, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
