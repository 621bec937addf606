// Cells of tokens in the same span, as far ahead of the query and as far behind it as a reading
// says (T3). Spans may recur: the tokens of equal ids are one span in several segments.
#pragma once

#include "core/pattern/document_cells.h"
#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <optional>
#include <vector>

namespace attention {

// Keys j of the query's span with 1 ≤ j − i ≤ ahead, or i − j ≥ behind.
struct SpanReach {
  Index ahead = kUnbounded;
  Index behind = kUnbounded;
};

class SpanCells {
public:
  // Segments in order, with text between some of them; equal ids are one span.
  SpanCells(std::vector<Segment> segments, const SpanReach& reach);

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // O(log n) where no span recurs; else O(m) for the m segments that the rows and their keys meet.
  Index count(const Rect& rect) const;
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

  // The number of the token's span; −1 for text.
  Index spanOf(Index token) const;

private:
  struct Span {
    std::vector<Segment> segments;
    std::vector<Index> tokens{0}; // tokens[k]: in the first k segments
  };

  // The first segment that ends after the token.
  std::size_t behind(Index token) const;
  bool once() const { return spans_.size() == segments_.size(); }
  Index tokensBelow(const Span& span, Index token) const;
  Index countSegment(std::size_t segment, const Rect& rect) const;
  Index countBand(const Span& span, const Primitive& band) const;

  std::vector<Segment> segments_; // ids count the spans from 0
  std::vector<Index> ids_;        // as given
  std::vector<Span> spans_;
  SpanReach reach_;
  std::vector<Index> cellEnds_; // cells of the rows of all segments up to and with this one
};

} // namespace attention
