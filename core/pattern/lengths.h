// The size of a mask: square (self-attention), or rectangular with an alignment (S4.20).
#pragma once

#include "core/support/integers.h"

namespace attention {

enum class Align {
  TopLeft,     // query i acts as token i
  BottomRight, // query i acts as token i + n_k − n_q
};

struct Lengths {
  Index queries = 0; // n_q
  Index keys = 0;    // n_k, the n of every formula
  Index offset = 0;  // token of query i is i + offset; a negative token has an empty row

  bool square() const { return queries == keys && offset == 0; }
  bool operator==(const Lengths&) const = default;
};

// n × n. Throws E_N for n < 1, E_RANGE for n > 2^30.
Lengths squareLengths(Index n);

// n_q × n_k. Throws as above.
Lengths alignedLengths(Index queries, Index keys, Align align);

} // namespace attention
