// One signed term over rows of pixels. Most pixels lie wholly inside their shape, where the number
// of its cells is a product of how many rows and how many keys of each residue the pixel holds;
// corners are needed only where an edge of the shape or of its clip crosses (S12). A picture of
// 10^6 pixels takes a few multiplications per pixel, whatever n is.
#pragma once

#include "core/pattern/signed_terms.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace attention {

class TermStrips {
public:
  // `edges` are the keys at which the columns of pixels begin and end: ascending, 0 ≤ edge <
  // kUnbounded = 2^32, one more than columns; keys from `keys` on count as nothing. They must
  // outlive this.
  TermStrips(const Term& term, std::span<const Index> edges, Index keys);

  // Adds to counts[b] the term's cells in the token rows [top, bottom) of column b; 0 ≤ top,
  // bottom < kUnbounded.
  void add(Index top, Index bottom, std::span<Index> counts) const;

private:
  struct Columns {
    std::size_t first = 0;
    std::size_t last = 0; // behind the last one
  };

  Columns meeting(const KeyRange& keys) const;
  Columns within(const KeyRange& keys) const;
  void addCorners(Index y0, Index y1, Columns columns, std::span<Index> counts) const;
  void addWhole(Index y0, Index y1, Columns columns, std::span<Index> counts) const;
  void addDiagonals(Index y0, Index y1, Columns columns, std::span<Index> counts) const;

  Primitive primitive_; // its clip ends at `keys`
  Index sign_;
  std::span<const Index> edges_;
  std::vector<std::uint32_t> cellsOfRow_; // a column's cells in a row that the shape holds whole
  // Of a band of every period-th diagonal: edge = period · quotient + remainder.
  std::vector<std::uint32_t> quotients_;
  std::vector<std::uint32_t> remainders_;
};

} // namespace attention
