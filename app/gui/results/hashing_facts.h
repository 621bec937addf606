// What the pictures of the Hashing view say in words and numbers.
#pragma once

#include "app/gui/view/hashing_shown.h"

namespace attention::gui {

// The attended pairs of all rounds together of the current pattern.
struct GroupedPairs {
  Index pairs = 0;
  std::string share; // "29.3 % of full": of those of what the pattern is measured against
};
// Nothing where neither tokens nor curves know it yet.
std::optional<GroupedPairs> groupedPairs(const HashedTokens* tokens, const CapturedCurves* curves);

// Fills heading, facts, warnings and reading from the spec and the answer, which is complete.
void addHashingFacts(HashingShown& shown);

} // namespace attention::gui
