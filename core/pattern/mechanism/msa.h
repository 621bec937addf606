// MSA (S24): the sparse attention of MiniMax M3. An indexer scores keys, a block counts as its best
// key, and every query attends to its local blocks and the best others.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Msa {
  Index blockSize = 128;
  Index topK = 16; // blocks, local ones included
  Index localBlocks = 1;
  std::optional<Index> indexDim = {}; // d
  bool operator==(const Msa&) const = default;
};

const Description& describe(const Msa&);
bool readsData(const Msa&);
bool takesRectangles(const Msa&);
// O(n² d_I) time; scores in tiles; O(n k) kept.
std::shared_ptr<const Prepared> prepared(const Msa& msa, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
