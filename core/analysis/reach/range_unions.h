// The union of the rows of a boolean matrix over any range of rows up to a given length, as at most
// four ready rows: rows in blocks of 16, with unions from a block's start and to its end, and
// unions of 2^k blocks. For a comb (every period-th run of `width` rows) the rows are first joined
// in runs of `width` and laid out residue by residue, which makes its runs neighbours. Row reads
// then do not grow with the length of a range: windows and strides up to the longest cost the same.
#pragma once

#include "core/analysis/reach/bit_matrix.h"

#include <vector>

namespace attention {

class RangeUnions {
public:
  // Unions of rows of `below`, which must outlive this: of contiguous ranges (period = width = 1),
  // or of the runs of combs with this period and width. Ranges of up to `longest` rows (combs:
  // runs) are four rows, longer ones more, and those within a block up to 14. Memory: 2 +
  // log₂(longest / 16) / 16 times `below`'s; for runs of several rows as much again while it is
  // built, and one `below` that stays.
  RangeUnions(const BitMatrix& below, Index period, Index width, Index longest, int threads,
              const Run& run);

  // How many rows such unions of a matrix of `rows` rows need.
  static Index rowsMade(Index rows, Index period, Index width, Index longest);

  bool fits(const KeyRange& range) const {
    return range.period == period_ && range.width == width_;
  }

  // Appends rows (words of below.wordsPerRow()) whose union is that of the rows in `range`, which
  // must fit; a truncated last run of a comb is left out.
  void append(const KeyRange& range, std::vector<const BitWord*>& rows) const;

private:
  // The place of row `a` in the order by residue, then quotient.
  Index positionOf(Index a) const;
  Index rowAt(Index position) const;
  const BitWord* base(Index position) const;
  // The union of the blocks block … block + 2^level − 1.
  const BitWord* blocks(Index block, std::size_t level) const;
  void appendPositions(Index begin, Index end, std::vector<const BitWord*>& rows) const;
  void joinRuns(int threads, const Run& run);
  void joinBlocks(Index longest, int threads, const Run& run);

  const BitMatrix& below_;
  Index n_;
  Index period_;
  Index width_;
  BitMatrix joined_; // row a: the rows a … a + width − 1; unused for width 1
  BitMatrix fromStart_;
  BitMatrix toEnd_;
  std::vector<BitMatrix> blocks_; // [k] row b: the blocks b … b + 2^(k+1) − 1
};

} // namespace attention
