// Vertical and slash lines chosen from the data (S5.4; MInference): the columns and the diagonals
// that the last queries attend to most.
#pragma once

#include "core/pattern/mechanism/vertical_slash.h"

namespace attention {

struct VerticalSlashEstimated {
  Index nVertical = 8;
  Index nSlash = 8;
  Index lastQ = 64;
  Index forceFirst = 30;
  Index forceLocal = 100;
  bool operator==(const VerticalSlashEstimated&) const = default;
};

const Description& describe(const VerticalSlashEstimated&);
bool readsData(const VerticalSlashEstimated&);

// The chosen columns and offsets, ascending. O(last_q · n d).
VerticalSlash estimatedLines(const VerticalSlashEstimated& estimated, const Lengths& lengths,
                             const PatternData& data, const Run& run);

std::shared_ptr<const Prepared> prepared(const VerticalSlashEstimated& estimated,
                                         const Lengths& lengths, const PatternData& data,
                                         const Run& run);

} // namespace attention
