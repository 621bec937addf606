// Merging partial results (S3.2): attention over disjoint sets of keys A and B gives attention over
// A ∪ B,
//
//   o = (e^{lse₁} o₁ + e^{lse₂} o₂) / (e^{lse₁} + e^{lse₂}),  lse = ln(e^{lse₁} + e^{lse₂}),
//
// computed relative to the larger lse. Commutative and associative up to rounding; exact for
// disjoint sets only, since keys in both count twice.
#pragma once

#include "core/attention/attend.h"

#include <span>

namespace attention {

// Merges row (other, otherLse) into `out` of the same length and returns the merged lse. A side
// with lse −∞ leaves the other unchanged.
template <class T>
T mergeRow(std::span<T> out, T lse, std::span<const T> other, T otherLse);

// The same for all rows; emptyRows are those that are empty in both. E_SHAPE where shapes differ.
template <class T>
Attention<T> merge(Attention<T> a, const Attention<T>& b);

} // namespace attention
