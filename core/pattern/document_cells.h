// Cells (i, j) of tokens in the same document, causal or not, with an optional prefix that all of
// the document sees (S4.15). Documents may recur: the tokens of equal ids are one document in
// several segments.
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"
#include "core/pattern/value.h"

#include <optional>
#include <vector>

namespace attention {

// Tokens [begin, end) of one document; the tokens on either side belong to others.
struct Segment {
  Index begin = 0;
  Index end = 0;
  Index id = 0;
};

// One segment for each run of tokens of one id. E_SHAPE: not n ids.
std::vector<Segment> segmentsOfIds(const IndexList& ids, Index n);

// Whether two of the segments have the same id.
bool recurs(const std::vector<Segment>& segments);

class DocumentCells {
public:
  // Segments cover [0, n) in order. `prefix`: keys j < start of the document + prefix are seen by
  // the whole document.
  DocumentCells(std::vector<Segment> segments, bool causal, std::optional<Index> prefix);

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // O(log n) where no document recurs, else O(m log n) for the m segments that the rows meet.
  Index count(const Rect& rect) const;
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

  // "both in document 2".
  std::string explain(Index i, Index j) const;

private:
  struct Document {
    Index start = 0;                   // first token
    std::vector<std::size_t> segments; // of segments_, ascending
    std::vector<Index> tokens{0};      // tokens[k]: number of tokens in the first k segments
  };

  std::size_t segmentOf(Index token) const;
  const Document& documentOf(std::size_t segment) const { return documents_[document_[segment]]; }
  Index length() const { return segments_.empty() ? 0 : segments_.back().end; }
  Index seenByAll(const Document& document) const;
  Index tokensBelow(const Document& document, Index token) const;
  Index countSegment(std::size_t segment, const Rect& rect) const;

  std::vector<Segment> segments_;
  std::vector<std::size_t> document_; // of each segment
  std::vector<Document> documents_;
  std::vector<Index> cellEnds_; // cells of the rows of all segments up to and with this one
  bool causal_;
  std::optional<Index> prefix_;
};

} // namespace attention
