// The arithmetic of exact attention in floats, on the widest vectors that the processor has
// (Highway chooses at run time). A strip is as many queries as a few vectors have lanes, all over
// the same keys: lanes are queries, Sᵀ = K Qᵀ and Oᵀ += Vᵀ P take keys and values row by row
// through broadcasts, and the running maximum and sum of the online softmax (Milakov & Gimelshein
// 2018) need no sums across lanes. Keys that only some of the queries see are hidden by bit masks,
// and their exponentials are exactly zero; groups of keys that no query sees are skipped.
//
// Scores, maxima and exponentials are in base 2: s = log2(e) · scale · q·k, and C tanh(s / C) with
// a soft cap C = log2(e) · c. A bias starts the sums of products, or is added after the cap.
#pragma once

#include "core/attention/score_bias.h"
#include "core/support/integers.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// Queries of a strip: a divisor of 64.
Index stripWidth();

// The number of queries that must share enough of their keys for it to pay to compute them together
// (tile_plan.h): a strip skips the vectors that see none of a group of keys.
constexpr Index kSharingRows = 16;

// The most keys of one step.
constexpr Index kStepKeys = 192;

// Keys that a strip takes at once: key t at k + t · kStride and v + t · vStride. Query r sees it if
// bit `shift` + r of seen[t] is set.
struct StepKeys {
  const float* k = nullptr;
  Index kStride = 0;
  const float* v = nullptr;
  Index vStride = 0;
  Index count = 0;
  const std::uint64_t* seen = nullptr;
  const std::int32_t* at = nullptr; // the number of key t, where there is a bias
};

// One strip: its queries and their sums so far. Arrays of vectors are aligned.
struct QueryStrip {
  Index d = 0;
  Index dv = 0;
  Index shift = 0;        // of its bits in the masks
  std::uint64_t live = 0; // bit r: there is a query r
  float* q = nullptr;     // d × width, times scale
  float* out = nullptr;   // d_v × width, not yet divided by sum
  float* maximum = nullptr;
  float* sum = nullptr;
  float* scores = nullptr;              // room for kStepKeys × width
  float cap = 0;                        // the soft cap of scores, in base 2; 0: none
  const ScoreBias* bias = nullptr;      // null: none
  const std::int32_t* tokens = nullptr; // width: where the queries stand, aligned; with a bias
};

// Adds the keys of a step to the softmax of the strip's queries.
void addStep(const QueryStrip& strip, const StepKeys& keys);

// to[c · width + r] = factor · rows[r][c] for r < count, zero for other r.
void loadTransposed(const float* const* rows, Index count, Index cols, float factor, float* to);
// rows[r][c] = from[c · width + r] for r < count.
void storeTransposed(const float* from, float* const* rows, Index count, Index cols);

// 2^x for x ≤ 0 as the steps compute it: zero below −126. For tests.
float powerOfTwo(float x);

// For tests: the kinds of vectors that this processor has and that there is code for, the one in
// use first ("AVX2", "SSE4", …); and a way to use another one in the whole process (empty: the
// best).
std::vector<std::string> vectorKinds();
void useVectors(std::string_view kind);

} // namespace attention
