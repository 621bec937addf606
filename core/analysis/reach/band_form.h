// Building blocks of closed forms of receptive fields: layers that are one band of diagonals, and
// parameters with defaults resolved.
#pragma once

#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"

#include <optional>

namespace attention {

// −after ≤ i − j ≤ before, (i − j) mod step = 0, with the diagonal: before, after ≥ 0.
struct BandForm {
  Index before = 0;
  Index after = 0;
  Index step = 1;
  bool diagonal() const { return before < step && after < step; }
};

// Nothing if the mask is not such a band; takes a resolved pattern.
std::optional<BandForm> bandOf(const Pattern& pattern, bool residual);

// Fills in defaults that depend on n.
Pattern resolved(Pattern pattern, Index n);

// The tokens of the window, including the query.
Index sinkWindow(const Sinks& sinks);
bool hasGlobals(const TokenList& globals);

} // namespace attention
