// BigBird (S4.10; Zaheer et al. 2020): blocks of a window, global blocks, random blocks.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <cstdint>

namespace attention {

struct BigBird {
  // Paper: random blocks are drawn. HfEval: transformers' model in evaluation, where every random
  // block is block 0, whose keys count once more for each.
  enum class Reading { Paper, HfEval };

  Index blockSize = 64;
  Index windowBlocks = 3; // odd
  Index globalFirst = 1;  // blocks at the start
  Index globalLast = 1;   // blocks at the end
  Index randomBlocks = 3; // in a block row
  std::uint64_t seed = 0;
  Index head = 0; // stream of the random blocks
  bool causal = false;
  Reading reading = Reading::Paper;
  bool operator==(const BigBird&) const = default;
};

const Description& describe(const BigBird&);
// Cost O(blocks · random blocks).
std::shared_ptr<const Prepared> prepared(const BigBird& bigbird, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
