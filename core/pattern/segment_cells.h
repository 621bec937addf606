// Cells of tokens in the same segment of w tokens whose positions are s modulo r (T7): those that
// some branches of LongNet hold and others do not.
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <optional>
#include <utility>
#include <vector>

namespace attention {

// A branch holds (i, j) if i div w = j div w and (i mod w) mod r = s = (j mod w) mod r.
struct DilatedBranch {
  Index segment = 1;  // w
  Index dilation = 1; // r
  Index shift = 0;    // s < r

  Index begin(Index token) const { return token / segment * segment; } // of its segment
  bool holds(Index token) const { return token % segment % dilation == shift; }
  bool holds(Index i, Index j) const { return begin(i) == begin(j) && holds(i) && holds(j); }
};

// The number of cells that all of several branches hold. Edges of segments cut the tokens into
// pieces; the tokens of a piece that all branches hold are one residue class, and a cell is a pair
// of them.
class SharedCells {
public:
  // `keys` is n; only j ≤ i if `causal`.
  SharedCells(const std::vector<DilatedBranch>& of, Index keys, bool causal);

  bool empty() const { return whole_ == 0; }
  // Cells with i < y, j < x. O(log pieces).
  Index corner(Index y, Index x) const;
  bool operator==(const SharedCells&) const = default;

private:
  struct Piece {
    Index begin = 0;  // in the period
    Index first = 0;  // the first token that takes part; the end if none does
    Index before = 0; // cells of the pieces before, in the period
    bool operator==(const Piece&) const = default;
  };
  struct Place { // in a piece
    Index period = 0;
    std::size_t piece = 0;
    Index taken = 0; // tokens of the piece that take part and come before
  };

  Index end(std::size_t piece) const;
  Index taken(std::size_t piece, Index position) const;
  Index pairs(Index rows, Index keys) const;
  Place placeOf(Index token) const;

  bool causal_;
  Index period_;
  Index step_;      // between tokens that take part
  Index end_ = 0;   // of the last piece, which may reach beyond the keys
  Index whole_ = 0; // cells of a period
  std::vector<Piece> pieces_;
};

// Whether counts of these branches, in any combination, need few pieces.
bool fewPieces(const std::vector<DilatedBranch>& branches, Index keys);

class SegmentCells {
public:
  // The cells that all of `in` hold and none of `out`; `in` is not empty.
  SegmentCells(std::vector<DilatedBranch> in, std::vector<DilatedBranch> out, Index keys,
               bool causal);

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  Index count(const Rect& rect) const;
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

private:
  void addTerms(std::vector<DilatedBranch>& shared, std::size_t next, Index sign);
  void appendPiece(Index i, const KeySpan& piece, Index step, KeyRanges& ranges) const;

  std::vector<DilatedBranch> in_;
  std::vector<DilatedBranch> out_;
  Index keys_;
  bool causal_;
  std::vector<std::pair<SharedCells, Index>> terms_; // with their signs
};

} // namespace attention
