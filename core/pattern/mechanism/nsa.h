// NSA (S22; Yuan et al. 2025): three softmaxes over the same keys, added with gates: compressed
// stretches of keys, the blocks whose stretches weigh most, and a window.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Nsa {
  Index compressBlock = 32;
  Index compressStride = 16;
  Index selectBlock = 64;
  Index selectCount = 16; // blocks, forced ones included
  Index initBlocks = 1;
  Index localBlocks = 2;
  Index window = 512;
  std::optional<RealList> gates = {}; // 1/3 each
  bool operator==(const Nsa&) const = default;
};

const Description& describe(const Nsa&);
bool readsData(const Nsa&);
bool takesRectangles(const Nsa&);
// E_RANGE where the stride does not divide both blocks; E_SHAPE where there are not three gates.
void checkLengths(const Nsa& nsa, const Lengths& lengths);
// O(n n_c d) time, n_c = n / stride; O(n k) kept. The mask is what is read key by key: the selected
// blocks and the window; the compressed softmax is a branch besides.
std::shared_ptr<const Prepared> prepared(const Nsa& nsa, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

// Compressed keys of n tokens, and those that query i sees, the first ones.
Index compressedCount(const Nsa& nsa, Index n);
Index visibleCount(const Nsa& nsa, Index n, Index i);
// Their weights for every query, n × n_c: zeros where they are not visible. O(n n_c d).
Matrix<double> compressedWeights(const Nsa& nsa, const PatternData& data, const Run& run = {});
// Whether block t of keys is taken by query i whatever its score.
bool isForced(const Nsa& nsa, Index i, Index t);

} // namespace attention
