// Block top-k (S29): every block of queries attends to the blocks of keys whose means have the
// largest product, as the block-sparse heads of MInference and of sparse-frontier choose.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct BlockTopK {
  enum class Pool { Real, Padded };

  Index blockSize = 64;
  Index topK = 100; // blocks, forced ones included
  Index sinkBlocks = 0;
  Index localBlocks = 0;
  Pool pool = Pool::Real;
  bool operator==(const BlockTopK&) const = default;
};

const Description& describe(const BlockTopK&);
bool readsData(const BlockTopK&);
bool takesRectangles(const BlockTopK&);
// O((n / b)² d) time. E_SHAPE for n_q ≠ n_k.
std::shared_ptr<const Prepared> prepared(const BlockTopK& topk, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
