// SpargeAttn, its first stage (S28; Zhang et al. 2025): blocks of similar rows are judged by their
// means, all others are kept.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Sparge {
  enum class ShortBlock { Real, Dissimilar };

  Index blockQ = 128;
  Index blockK = 64;
  double similarity = 0.6;
  std::optional<double> cdf = {}; // 0.98, where there is no ratio
  std::optional<double> ratio = {};
  bool causal = false;
  bool sink = false;
  bool smoothK = true;
  ShortBlock shortBlock = ShortBlock::Real;
  bool operator==(const Sparge&) const = default;
};

const Description& describe(const Sparge&);
bool readsData(const Sparge&);
bool takesRectangles(const Sparge& sparge);
bool takesAnyAlignment(const Sparge& sparge);
// E_RANGE where both cdf and ratio are given.
void checkLengths(const Sparge& sparge, const Lengths& lengths);
// O(n d + n² d / (b_q b_k)) time.
std::shared_ptr<const Prepared> prepared(const Sparge& sparge, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
