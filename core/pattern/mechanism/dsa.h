// DSA (S23): the sparse attention of DeepSeek-V3.2. A lightning indexer scores every key, and every
// query attends to the k keys of the largest scores.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Dsa {
  enum class Activation { Relu, None };

  Index k = 2048;
  bool causal = true;
  Activation activation = Activation::Relu;
  std::optional<Index> indexDim = {}; // d
  bool operator==(const Dsa&) const = default;
};

const Description& describe(const Dsa&);
bool readsData(const Dsa&);
bool takesRectangles(const Dsa&);
// O(n² H d_I) time; scores in tiles; O(n k) kept.
std::shared_ptr<const Prepared> prepared(const Dsa& dsa, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
