// Cells on many listed lines of the mask: columns and diagonals (vertical-slash), rows and columns
// of global tokens (Longformer). Exact counts from prefix sums, without a term per line.
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"
#include "core/pattern/sorted_indices.h"

#include <optional>
#include <vector>

namespace attention {

// The cells j ≤ i of listed columns.
class ColumnLines {
public:
  explicit ColumnLines(SortedIndices columns) : columns_(std::move(columns)) {}
  bool contains(Index i, Index j) const { return j <= i && columns_.contains(j); }
  void appendRow(Index i, KeyRanges& ranges) const;
  Index count(const Rect& rect) const; // O(log columns)
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

private:
  SortedIndices columns_;
};

// The cells of the listed diagonals i − j = o, o ≥ 0, that lie on none of the listed columns.
class DiagonalLines {
public:
  DiagonalLines(SortedIndices offsets, SortedIndices columns, Index keys)
      : offsets_(std::move(offsets)), columns_(std::move(columns)), keys_(keys) {}
  bool contains(Index i, Index j) const {
    return offsets_.contains(i - j) && !columns_.contains(j);
  }
  void appendRow(Index i, KeyRanges& ranges) const;
  // O(m log) for the m columns, or the m diagonals, whichever are fewer, that `rect` meets.
  Index count(const Rect& rect) const;
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

private:
  Index crossings(const Rect& rect) const;
  Index cellsTo(Index distance) const;

  SortedIndices offsets_;
  SortedIndices columns_;
  Index keys_;
};

// The rows and columns of global tokens, cut to j ≤ i if `causal`, without the cells of `window`.
class GlobalLines {
public:
  // `window` is a Band; keys is n.
  GlobalLines(SortedIndices globals, const Primitive& window, bool causal, Index keys);
  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // O(m log globals) for the m globals, or the m rows, whichever are fewer, that `rect` meets.
  Index count(const Rect& rect) const;
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

private:
  // Global keys of query i in [j0, j1) that the causal cut keeps and the window lacks.
  Index globalKeys(Index i, Index j0, Index j1) const;
  // Cells of a whole line that the causal cut keeps and the window lacks.
  Index lineCells(const Rect& line) const;

  SortedIndices globals_;
  std::vector<IndexPair> byResidue_; // (g mod period, g), sorted
  Primitive window_;
  bool causal_;
  Index keys_;
};

} // namespace attention
