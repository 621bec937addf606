// The two orders of multiplication of attention by features (Choromanski et al. 2021, figure 1):
//
//   (Q' K'ᵀ) V   makes the L × L matrix Â first:       L² m, then L² d_v multiplications
//   Q' (K'ᵀ V)   makes an m × d_v matrix first:        L m d_v, twice
//
// In the first, causal attention visits only the pairs j ≤ i; in the second it takes prefix sums of
// k'_i v_iᵀ, which cost the same as without. Counts are those of the cost model (cost.h), without
// the features themselves.
#pragma once

#include "core/support/integers.h"

namespace attention {

struct ProductShapes {
  Index length = 1;   // L
  Index features = 1; // m
  Index dv = 1;
  bool causal = false;
  bool operator==(const ProductShapes&) const = default;
};

// Numbers are exact integers while below 2^53.
struct ProductOrder {
  double first = 0;   // multiplications of the product in brackets
  double second = 0;  // of the other
  double between = 0; // numbers held between the two
  double total() const { return first + second; }
};

ProductOrder matrixFirst(const ProductShapes& shapes); // (Q' K'ᵀ) V
ProductOrder valuesFirst(const ProductShapes& shapes); // Q' (K'ᵀ V)

// The length from which Q' (K'ᵀ V) takes fewer multiplications: the least L with
// pairs(L) · (m + d_v) > 2 L m d_v.
Index breakEvenLength(const ProductShapes& shapes);

} // namespace attention
