// Inputs whose layers have their own masks, without a file.
#pragma once

#include "core/input/input.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/pattern.h"

#include <utility>
#include <vector>

namespace attention::test {

// One layer per mask, of n tokens, without arrays.
inline Input withMasks(std::vector<Pattern> masks, Index n) {
  Input input;
  input.queries = input.keys = n;
  input.batches = static_cast<Index>(masks.size());
  input.ownMasks = std::move(masks);
  return input;
}

inline Pattern causalBand(Index window) {
  Local local;
  local.window = window;
  local.causal = true;
  return local;
}

} // namespace attention::test
