// The buckets of T5's relative bias (Raffel et al., arXiv 1910.10683): distances below e have one
// each, greater ones share M buckets at steps of the logarithm up to max_distance D, and all beyond
// share the last. With N buckets per direction, e = N div 2, M = N − e, d = |rel|:
//
//   bucket = d                                                  for d < e,
//            e + the largest t ≤ M − 1 with d^M e^t ≥ D^t e^M   otherwise.
//
// The comparison is that of integers: no logarithm is rounded. Both directions: half of the buckets
// are for rel = j − i > 0, behind the others; one direction: d = max(0, −rel).
#pragma once

#include "core/support/integers.h"

#include <vector>

namespace attention {

struct T5Form {
  Index buckets = 32; // rows of the table
  bool bidirectional = true;
  Index maxDistance = 128; // D
};

class T5Buckets {
public:
  // E_RANGE: an odd number of buckets in both directions, e < 1, D ≤ e, or more than 4096 buckets;
  // D above 2^30.
  explicit T5Buckets(const T5Form& form);

  // Of rel = j − i, in [0, form.buckets). O(log M).
  Index of(Index rel) const;

private:
  bool bidirectional_;
  Index each_; // buckets of one direction
  Index exact_;
  std::vector<Index> begins_; // the least distance of the buckets behind e
};

} // namespace attention
