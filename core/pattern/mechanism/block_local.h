// Blocks of the sequence attend to themselves and to their neighbours (S4.6).
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct BlockLocal {
  Index blockSize = 64;
  Index before = 0; // blocks
  Index after = 0;
  bool causal = false;
  bool wrap = false; // block indices modulo their number
  bool operator==(const BlockLocal&) const = default;
};

const Description& describe(const BlockLocal&);
std::shared_ptr<const Prepared> prepared(const BlockLocal& local, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
