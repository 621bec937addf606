// The same query by online softmax: tiles of keys one after the other, with a running maximum, sum
// and output (Milakov & Gimelshein 2018; Dao et al. 2022). A tile with the scores s_j gives
//
//   m' = max(m, max s_j),  c = exp(m − m'),
//   l' = c l + Σ exp(s_j − m'),  o' = c o + Σ exp(s_j − m') v_j,
//
// and o / l at the end, where a sink adds exp(sink − m) to l. Only the order of summation differs
// from softmax_steps.h.
#pragma once

#include "core/analysis/steps/softmax_steps.h"

namespace attention {

// The running values after a tile.
struct OnlineTile {
  Index begin = 0; // keys of the tile, visible or not
  Index end = 0;
  std::vector<Index> keys;    // that the query sees, ascending
  double tileMax = 0;         // of its own scores
  double max = 0;             // so far
  double sum = 0;             // so far
  double correction = 0;      // exp(old max − new max); 0 for the first tile
  std::vector<double> output; // so far, not yet divided by the sum
};

struct OnlineSteps {
  std::vector<OnlineTile> tiles; // without those in which the query sees no key
  std::optional<double> sinkExp; // exp(sink − last max), added to the last sum
  std::vector<double> output;    // divided; zeros where there is no key
};

// `keyTile` consecutive keys a tile. E_RANGE: below 1; E_UNSUPPORTED: the pattern averages several
// softmaxes; and as softmaxSteps.
OnlineSteps onlineSteps(const StepsInput& input, Index keyTile);

} // namespace attention
