// LongNet's dilated attention (T7): the sequence is cut into segments, of which only every r-th
// token takes part; several lengths and dilations are combined.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/segment_cells.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct DilatedSegments {
  enum class Reading { Paper, Code }; // how heads shift the tokens that take part

  std::optional<IndexList> segments;  // w of each branch; required
  std::optional<IndexList> dilations; // r of each branch; required
  Index head = 0;
  Index heads = 1;
  bool causal = false;
  Combine combine = Combine::Lse; // or Union
  Reading reading = Reading::Paper;
  bool operator==(const DilatedSegments&) const = default;
};

std::vector<DilatedBranch> branchesOf(const DilatedSegments& of);

const Description& describe(const DilatedSegments&);
void checkLengths(const DilatedSegments& of, const Lengths& lengths);
std::shared_ptr<const Prepared> prepared(const DilatedSegments& of, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
