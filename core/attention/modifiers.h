// Score modifiers of all heads of an input (specification T8), as files and users give them, and
// what they come to for one head.
#pragma once

#include "core/attention/bias/position_bias.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attention {

struct AttendOptions;

// One number for all heads, or one for each.
struct HeadNumbers {
  std::vector<double> values;
  bool all = false; // one number for all
  bool operator==(const HeadNumbers&) const = default;

  double of(Index head) const { return values[all ? 0 : static_cast<std::size_t>(head)]; }
};

// Press et al., arXiv 2108.12409: with m the head's slope,
enum class AlibiSide {
  Distance, // −m |i − j|
  Signed,   // m (j − i) (attention-gym)
  Column,   // m j (BLOOM, vLLM): behind the query the same outputs, lse + m i
};
struct AlibiBias {
  std::variant<AlibiSlopes, HeadNumbers> slopes = AlibiSlopes::Standard;
  AlibiSide side = AlibiSide::Distance;
  bool operator==(const AlibiBias&) const = default;
};

// Raffel et al., arXiv 1910.10683: table[bucket(j − i)][head] (bias/t5_buckets.h).
struct T5Bias {
  std::vector<std::vector<double>> table; // buckets × heads
  bool bidirectional = true;
  Index maxDistance = 128;
  bool operator==(const T5Bias&) const = default;
};

// table[clamp(j − i, −R, R) + R], for all heads.
struct RelativeBias {
  std::vector<double> table; // 2 R + 1 numbers
  bool operator==(const RelativeBias&) const = default;
};

using ScoreBiasSpec = std::variant<std::monostate, AlibiBias, T5Bias, RelativeBias>;

struct ScoreModifiers {
  std::optional<double> scale;     // multiplier of q·k
  std::optional<double> softcap;   // c of c tanh(u / c)
  ScoreBiasSpec bias = {};         // none at first
  double temperature = 1;          // scores are divided by it
  std::optional<HeadNumbers> sink; // logits
  bool biasFirst = false;          // before the cap
  bool operator==(const ScoreModifiers&) const = default;

  bool hasBias() const { return !std::holds_alternative<std::monostate>(bias); }
  // Whether all heads have the same.
  bool sameForAllHeads() const;
};

// Throws what is wrong with them for so many heads; `subject` names where they stand, and may be
// empty. E_RANGE: a
// cap, temperature or maximum distance out of range, an odd number of buckets in both directions;
// E_SHAPE: lists that do not fit the heads, a table without a middle; E_NONFINITE.
void checkModifiers(const ScoreModifiers& modifiers, Index heads, const std::string& subject);

// One number, or one for each head. E_SHAPE, E_NONFINITE.
void checkHeadNumbers(const HeadNumbers& numbers, Index heads, const std::string& subject);

// With attend.h: of head `head` of `heads`, for queries and keys at most `reach` apart. Throws as
// checkModifiers.
AttendOptions optionsOf(const ScoreModifiers& modifiers, Index head, Index heads, Index reach,
                        int threads = 0);

// The bias of one head; none where there is none.
PositionBias biasOf(const ScoreModifiers& modifiers, Index head, Index heads, Index reach);

} // namespace attention
