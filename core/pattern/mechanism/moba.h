// MoBA (S21; Lu et al. 2025): every query attends to its own block and to the earlier blocks whose
// mean keys it scores highest.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct Moba {
  enum class Reading { Naive, Efficient };

  Index blockSize = 4096;
  Index topK = 12; // blocks, the own one included
  Reading reading = Reading::Naive;
  bool operator==(const Moba&) const = default;
};

const Description& describe(const Moba&);
bool readsData(const Moba&);
bool takesRectangles(const Moba&);
// O(n² d / b) time; O(n k) kept. E_SHAPE for n_q ≠ n_k.
std::shared_ptr<const Prepared> prepared(const Moba& moba, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
