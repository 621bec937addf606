// The k closest keys of every query (S5.1; the lecture notes' "choose 10 closest").
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct TopK {
  enum class Metric { Dot, Cosine, Euclidean };

  Index k = 10;
  Metric metric = Metric::Dot;
  bool causal = false;
  bool excludeSelf = false;
  bool operator==(const TopK&) const = default;
};

const Description& describe(const TopK&);
bool readsData(const TopK&);
// O(n² d) time; O(n) memory per row in progress, O(P) kept.
std::shared_ptr<const Prepared> prepared(const TopK& topk, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
