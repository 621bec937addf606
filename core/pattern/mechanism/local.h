// Local attention: the last, or the closest, `window` tokens (S4.3).
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct Local {
  enum class Count { Inclusive, Previous }; // whether window counts the query itself
  enum class Edge { Clip, Shift };          // at the ends: cut the strip, or keep window tokens
  enum class Tie { Left, Right };           // which of two equally close tokens comes first

  Index window = 128;
  bool causal = false;
  Count count = Count::Inclusive;
  Edge edge = Edge::Clip;
  Tie tie = Tie::Left;
  bool operator==(const Local&) const = default;
};

const Description& describe(const Local&);
std::shared_ptr<const Prepared> prepared(const Local& local, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
