// A window with gaps (S4.5): every r-th token on both sides of the query.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Dilated {
  enum class Unit { Steps, Tokens }; // what left and right count

  Index left = 4;
  std::optional<Index> right; // left, or 0 if causal, if not given
  Index dilation = 2;
  Unit unit = Unit::Steps;
  bool causal = false;
  bool operator==(const Dilated&) const = default;
};

const Description& describe(const Dilated&);
std::shared_ptr<const Prepared> prepared(const Dilated& dilated, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
