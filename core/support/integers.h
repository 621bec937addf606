// Integer arithmetic of the specification (S1): quotients round towards minus infinity and
// remainders lie in [0, divisor). Values stay below 4 n² with n ≤ 2^30, so 64 bits suffice.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>

namespace attention {

using Index = std::int64_t;

constexpr Index kMaxLength = Index{1} << 30; // largest n (command line contract)

// ⌊a / b⌋ for b > 0.
constexpr Index floorDiv(Index a, Index b) {
  assert(b > 0);
  const Index q = a / b;
  return q - (a % b < 0 ? 1 : 0);
}

// a mod b in [0, b) for b > 0.
constexpr Index floorMod(Index a, Index b) {
  assert(b > 0);
  const Index r = a % b;
  return r < 0 ? r + b : r;
}

// ⌈a / b⌉ for b > 0.
constexpr Index ceilDiv(Index a, Index b) {
  return -floorDiv(-a, b);
}

// tri(k) = k (k + 1) / 2 for k > 0, else 0: the cells of a triangle with k rows.
constexpr Index triangle(Index k) {
  return k > 0 ? k * (k + 1) / 2 : 0;
}

// ⌊√n⌋ for n ≥ 0.
inline Index integerSqrt(Index n) {
  auto r = static_cast<Index>(std::sqrt(static_cast<double>(n)));
  while (r * r > n)
    --r;
  while ((r + 1) * (r + 1) <= n)
    ++r;
  return r;
}

// √n rounded to the nearest integer, at least 1: the default stride (S4.7).
inline Index roundedSqrt(Index n) {
  const Index r = integerSqrt(n);
  return n > r * r + r ? r + 1 : (r > 0 ? r : 1);
}

} // namespace attention
