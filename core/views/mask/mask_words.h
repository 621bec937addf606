// A mask in words: its tiles and ranks, for captions, 'read this', and the list of block sizes; and
// what to see in its picture.
#pragma once

#include "core/analysis/metrics.h"
#include "core/analysis/row_statistics.h"
#include "core/analysis/tiles/best_block.h"
#include "core/analysis/tiles/rank_work.h"
#include "core/pattern/prepared.h"
#include "core/scene/mask_spec.h"

#include <string>
#include <vector>

namespace attention {

BlockSize blockOf(const TilesSpec& spec);

// "128 × 128".
std::string blockText(const BlockSize& block);

// "With 128 × 128 tiles, 6 are full, 8 are partial and 2 are empty; 31 % of the computed pairs are
// masked out." Estimates are called that.
std::string tilesSentence(const TileCounts& counts, const BlockSize& block);

// What the best block is, in a sentence without numbers of its own.
std::string bestBlockSentence();

// "The slowest rank has 1.94 times the mean: 48 % of the ranks' time is spent waiting for it." How
// even the split is.
std::string ranksSentence(const RankWork& work);

// Blocks with which the tiles of a short mask can be told apart: the spec's own where there are
// several of them, or where the length is not known yet; else a power of two that gives at least
// eight tiles per side.
TilesSpec withSeveralTiles(TilesSpec spec, const Lengths& lengths);

// ---- what to see in the picture ----

// A few sentences computed from the mask: how the keys of a query lie, how many queries see the
// first key and how many one in the middle, what each of two parts gives. For a mask whose exact
// counts are `rows`; nothing if counting would take long. Throws Stopped. The first sentence is
// about a query chosen here: the last of a causal mask, or the middle.
std::vector<std::string> readMask(const Prepared& prepared, const RowStatistics& rows,
                                  const Base& base, const Run& run = {});
// The same sentence for another query: a pinned one. O(log n) counts of a row.
std::string readQuery(const Prepared& prepared, Index query, const Base& base);

} // namespace attention
