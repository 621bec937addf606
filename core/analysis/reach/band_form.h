// What closed forms of receptive fields are made of: layers that are one band of diagonals, and
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

// Nothing where the mask is no such band; of a pattern that is resolved.
std::optional<BandForm> bandOf(const Pattern& pattern, bool residual);

// Defaults that depend on n, put in.
Pattern resolved(Pattern pattern, Index n);

// The tokens of the window, the query among them.
Index sinkWindow(const Sinks& sinks);
bool hasGlobals(const TokenList& globals);

} // namespace attention
