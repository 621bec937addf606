// One query over keys that it shares with too few others to be worth a strip (strip_kernel.h):
// lanes run along the columns, and keys are read in place. In base 2 like the strips, and on the
// widest vectors that the processor has.
#pragma once

#include "core/attention/score_bias.h"
#include "core/support/integers.h"

#include <cstdint>

namespace attention {

// A query with keys of its own.
struct LoneRow {
  const float* q = nullptr; // d, times scale
  const float* k = nullptr;
  Index kStride = 0;
  const float* v = nullptr;
  Index vStride = 0;
  Index d = 0;
  Index dv = 0;
  const std::int32_t* keys = nullptr; // rows of k and v
  Index count = 0;                    // ≥ 1
  float* scores = nullptr;            // room for count + kLonePadding
  float cap = 0;                      // the soft cap of scores, in base 2; 0: none
  const ScoreBias* bias = nullptr;    // null: none
  std::int32_t token = 0;             // where the query stands
};

constexpr Index kLonePadding = 16;

// Adds the keys to the softmax of the query; its `out` has d_v columns.
void addLoneRow(const LoneRow& row, float* out, float& maximum, float& sum);

} // namespace attention
