// e^x, and functions of it that kernels and feature maps share. In floats it is written so that
// compilers vectorise it: split x = m ln 2 + r with |r| ≤ ln 2 / 2, a polynomial of degree 6 for
// e^r (Cephes' expf), 2^m by its exponent bits. The relative error is below 3 · 2^−24; below −87
// the result is 0, never a subnormal, which would slow down the products that follow.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace attention {

// For x ≤ 0.
inline float expOfNegative(float x) {
  constexpr float kLog2E = 1.44269504088896341F;
  constexpr float kLn2High = 0.693359375F;
  constexpr float kLn2Low = -2.12194440e-4F;
  constexpr float kRound = 12582912.0F; // 1.5 · 2^23: adding it rounds to an integer
  constexpr float kLeast = -87.0F;

  const float clamped = x < kLeast ? kLeast : x;
  const float shifted = clamped * kLog2E + kRound;
  const float m = shifted - kRound;
  const float r = (clamped - m * kLn2High) - m * kLn2Low;
  float p = 1.9875691500E-4F;
  p = p * r + 1.3981999507E-3F;
  p = p * r + 8.3334519073E-3F;
  p = p * r + 4.1665795894E-2F;
  p = p * r + 1.6666665459E-1F;
  p = p * r + 5.0000001201E-1F;
  p = p * (r * r) + r + 1.0F;
  const auto exponent = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
  const auto power = std::bit_cast<float>((exponent + 127) << 23);
  return x < kLeast ? 0.0F : p * power;
}

// For any x: +∞ above 88, where the next powers of two end.
inline float expOf(float x) {
  constexpr float kMost = 88.0F;
  const float power = expOfNegative(x > kMost ? kMost : x);
  return x > kMost ? std::numeric_limits<float>::infinity() : power;
}

// ---- in both precisions ----

// e^x. Floats by vector code: relative error below 3 · 2^−24, 0 below −87, +∞ above 88.
inline float exponential(float x) {
  return expOf(x);
}
inline double exponential(double x) {
  return std::exp(x);
}

// elu(x) + 1: x + 1 for x > 0, else e^x (Katharopoulos et al. 2020).
template <class T>
T elu1(T x) {
  return x > 0 ? x + T{1} : std::exp(x);
}

} // namespace attention
