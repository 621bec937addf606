// Masks of blocks (S20): blocks of queries that attend to blocks of keys, cut to the keys that a
// query may see. Block t of rows 0 … n − 1 has the rows t·b … min(n, (t + 1)·b) − 1.
#pragma once

#include "core/pattern/key_choice.h"
#include "core/pattern/lengths.h"
#include "core/pattern/prepared.h"
#include "core/support/integers.h"

#include <span>
#include <string>
#include <vector>

namespace attention {

// How a mask is divided, and whether queries see only keys up to their own token.
struct BlockGrid {
  Lengths lengths;
  Index queryBlock = 1;
  Index keyBlock = 1;
  bool causal = true;

  Index queryBlocks() const { return ceilDiv(lengths.queries, queryBlock); }
  Index keyBlocks() const { return ceilDiv(lengths.keys, keyBlock); }
  // The tokens of block a of queries.
  Index firstToken(Index a) const { return a * queryBlock + lengths.offset; }
  Index lastToken(Index a) const;
  // Blocks of keys with a permitted cell, for block a of queries: those below this one.
  Index candidates(Index a) const;
  // The block with the token of block a's last query, or with the last key before it; −1 where the
  // token is before the first key. Only for causal grids.
  Index own(Index a) const { return candidates(a) - 1; }
};

// Where no alignment matters (S20.5), queries are placed so that every one is a token.
Lengths anyAlignment(const Lengths& lengths);

// The parts of a mask, filled block of queries after block of queries.
class BlockTables {
public:
  BlockTables(const BlockGrid& grid, std::size_t parts);

  // The next block of queries: `blocks[p]` are the blocks of keys of part p, ascending; those that
  // are no candidates are left out.
  void append(std::span<const std::vector<Index>> blocks);

  // The cells of part p, once all are appended.
  std::shared_ptr<const RowTable> cells(std::size_t part);

private:
  std::vector<KeyRun> runsOf(const std::vector<Index>& blocks, Index a) const;

  BlockGrid grid_;
  std::vector<RowTable> tables_;
  Index next_ = 0; // block of queries
};

// Name and legend of a part.
struct PartName {
  const char* name;
  const char* label;
};

// The prepared pattern of such parts, with their reasons.
std::shared_ptr<const Prepared>
preparedBlocks(const BlockGrid& grid, BlockTables tables, std::span<const PartName> names,
               const std::function<std::string(Index token, Index j)>& explain, KeyChoice choice);

// A choice of the grid's blocks.
KeyChoice choiceOf(const BlockGrid& grid, double flops, ChoiceScores scores);

// Leaves the scores of [begin, end), and NaN for all others.
void keepRanked(std::span<double> scores, Index begin, Index end);
// "the largest one", "the 3 largest"; "none" of 0.
std::string largestText(Index count);

// The means of blocks of `block` rows: blocks × columns. `padded`: the short last one is filled
// with rows of zeros (S29). Sums are compensated, so that they depend little on the order of rows.
Matrix<double> blockMeans(const Matrix<double>& rows, Index block, bool padded = false);

// ---- reasons ----

// "key 7 > query 4".
std::string futureText(Index token, Index j);

// One block or key among those that a query chooses from.
struct Rank {
  std::string what;               // "block 3"
  std::string score;              // "q·mean(k)"
  std::span<const double> scores; // of all blocks; only those of [begin, end) can be chosen
  Index begin = 0;
  Index end = 0;
  Index at = 0;
  Index taken = 0; // how many are chosen
};
// "block 3 ranks 2 of 7 by q·mean(k) = 1.42; the top 2 are attended".
std::string rankText(const Rank& rank);

// ---- weights by which blocks are chosen (S26 – S28) ----

// The softmax of the numbers, in place; −∞ gives 0, and so does everything where all are −∞.
void softmax(std::span<double> scores);

// Their indices by falling weight; equal ones by index.
std::vector<Index> byFallingWeight(std::span<const double> weights);

// How many prefixes of `falling` weights have a sum of at most `share`.
Index prefixesWithin(std::span<const double> falling, double share);

} // namespace attention
