// Fixed factorized attention of the Sparse Transformer (S4.8; Child et al. 2019, §4.3): A¹ is the
// query's own block, A² the summary columns at the end of every block.
#pragma once

#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Fixed {
  enum class Reading { Exclusive, Inclusive }; // c summary columns, or c + 1
  enum class Tail { Formula, Shift };          // columns of a short last block

  std::optional<Index> stride;  // √n rounded, if not given
  std::optional<Index> columns; // c: max(1, ⌊l/16⌋), if not given
  Index subblock = 0;           // h, counted from the end of the block
  Factor head = Factor::Union;
  Reading reading = Reading::Exclusive;
  Tail tail = Tail::Formula;
  bool causal = true;
  bool operator==(const Fixed&) const = default;
};

// The values for length n, defaults resolved.
Index strideOf(const Fixed& fixed, Index n);
Index columnsOf(const Fixed& fixed, Index n);

const Description& describe(const Fixed&);
std::shared_ptr<const Prepared> prepared(const Fixed& fixed, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
