// XAttention (S26; Xu et al. 2025): blocks count by the sums of scores along antidiagonals, and
// every block of queries takes the fewest blocks of keys whose weights reach a share.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct XAttention {
  Index blockSize = 128;
  Index stride = 16;
  double threshold = 0.9;
  bool causal = true;
  Index firstChunk = 0; // tokens
  bool operator==(const XAttention&) const = default;
};

const Description& describe(const XAttention&);
bool readsData(const XAttention&);
bool takesRectangles(const XAttention&);
bool takesAnyAlignment(const XAttention& x);
// O(n² d / s) time, O(n / s) memory per thread.
std::shared_ptr<const Prepared> prepared(const XAttention& x, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
