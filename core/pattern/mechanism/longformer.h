// Longformer (S4.9; Beltagy et al. 2020): a window, possibly with gaps, and global tokens that see
// all and are seen by all.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

namespace attention {

struct Longformer {
  enum class Reading { Total, OneSided }; // window is w/2 on each side, or w on each side

  Index window = 512;
  TokenList globals = IndexList{0}; // indices, or the number of first tokens
  Index dilation = 1;
  bool causal = false;
  Reading reading = Reading::Total;
  bool operator==(const Longformer&) const = default;
};

const Description& describe(const Longformer&);
std::shared_ptr<const Prepared> prepared(const Longformer& longformer, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
