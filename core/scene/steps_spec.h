// Which steps of one query the Attention view shows: how attention is computed, and how far.
#pragma once

#include "core/scene/settings.h"

#include <cstdint>

namespace attention {

enum class StepsBy { Softmax, Online, Linear, Features };

constexpr Index kDefaultKeyTile = 64; // keys per tile of online softmax
constexpr Index kDefaultStepFeatures = 64;
constexpr Index kMostStepFeatures = 65536;
constexpr Index kMostMatrixTokens = 16; // of the whole matrix

struct StepsSpec {
  StepsBy by = StepsBy::Softmax;
  bool whole = false; // all queries as matrices, not one query
  Index step = 0;     // the last one that is shown; 0: all
  Index keyTile = kDefaultKeyTile;
  Index m = kDefaultStepFeatures; // random projections
  std::uint64_t seed = 0;         // of these
  bool normalized = true;         // feature maps: divided by the denominator
  bool operator==(const StepsSpec&) const = default;
};

// Whether all queries are shown; online softmax and feature maps have one.
inline bool showsMatrices(const StepsSpec& spec) {
  return spec.whole && spec.by == StepsBy::Softmax;
}

const Settings<StepsSpec>& stepsSettings();

} // namespace attention
