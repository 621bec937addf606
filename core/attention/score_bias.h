// A bias (bias/position_bias.h) as the kernels of exact attention read it: floats in base 2,
// divided by the temperature like all of a score. Tokens and keys are below 2^30, so distances fit
// 32 bits.
#pragma once

#include <cstdint>

namespace attention {

struct ScoreBias {
  float before = 0;             // per key behind the query's token
  float after = 0;              // per key ahead of it
  const float* table = nullptr; // 2 radius + 1 numbers, instead of the slopes
  std::int32_t radius = 0;
  float perToken = 0; // added only before a cap: after it, lse takes it
  bool first = false; // before the cap
};

} // namespace attention
