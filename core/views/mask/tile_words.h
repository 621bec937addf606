// Tiles and ranks of a mask in words: for captions, 'read this', and the list of block sizes.
#pragma once

#include "core/analysis/tiles/best_block.h"
#include "core/analysis/tiles/rank_work.h"
#include "core/scene/mask_spec.h"

#include <string>

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
// several of them, else a power of two that gives at least eight tiles per side.
TilesSpec withSeveralTiles(TilesSpec spec, const Lengths& lengths);

} // namespace attention
