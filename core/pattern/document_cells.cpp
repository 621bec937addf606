#include "core/pattern/document_cells.h"

#include "core/support/error.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace attention {

bool recurs(const std::vector<Segment>& segments) {
  std::vector<Index> ids;
  ids.reserve(segments.size());
  for (const Segment& s : segments)
    ids.push_back(s.id);
  std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) != ids.end();
}

std::vector<Segment> segmentsOfIds(const IndexList& ids, Index n) {
  if (static_cast<Index>(ids.size()) != n)
    throw Error(ErrorCode::Shape, "ids",
                "ids is a list of length " + std::to_string(ids.size()) +
                    "; it must have length n = " + std::to_string(n));
  std::vector<Segment> segments;
  for (Index token = 0; token < n; ++token) {
    const Index id = ids[static_cast<std::size_t>(token)];
    if (!segments.empty() && segments.back().id == id)
      ++segments.back().end;
    else
      segments.push_back({token, token + 1, id});
  }
  return segments;
}

DocumentCells::DocumentCells(std::vector<Segment> segments, bool causal,
                             std::optional<Index> prefix)
    : segments_(std::move(segments)), causal_(causal), prefix_(prefix) {
  std::unordered_map<Index, std::size_t> known;
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const auto [at, fresh] = known.emplace(segments_[k].id, documents_.size());
    if (fresh) {
      documents_.emplace_back();
      documents_.back().start = segments_[k].begin;
    }
    Document& document = documents_[at->second];
    document.segments.push_back(k);
    document.tokens.push_back(document.tokens.back() + segments_[k].end - segments_[k].begin);
    document_.push_back(at->second);
  }
  Index cells = 0;
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    cells += countSegment(k, {0, kUnbounded, 0, kUnbounded});
    cellEnds_.push_back(cells);
  }
}

std::size_t DocumentCells::segmentOf(Index token) const {
  const auto at = std::upper_bound(segments_.begin(), segments_.end(), token,
                                   [](Index t, const Segment& s) { return t < s.end; });
  return static_cast<std::size_t>(at - segments_.begin());
}

// Keys of the document below this one are seen by all its rows.
Index DocumentCells::seenByAll(const Document& document) const {
  if (!causal_)
    return kUnbounded;
  return prefix_ ? document.start + std::min(*prefix_, kUnbounded) : 0;
}

Index DocumentCells::tokensBelow(const Document& document, Index token) const {
  const auto after =
      std::partition_point(document.segments.begin(), document.segments.end(),
                           [&](std::size_t segment) { return segments_[segment].end <= token; });
  const auto whole = static_cast<std::size_t>(after - document.segments.begin());
  Index tokens = document.tokens[whole];
  if (after != document.segments.end())
    tokens += std::max<Index>(token - segments_[*after].begin, 0);
  return tokens;
}

bool DocumentCells::contains(Index i, Index j) const {
  if (i >= length() || j >= length())
    return false;
  const std::size_t own = segmentOf(i);
  if (document_[own] != document_[segmentOf(j)])
    return false;
  return j <= i || j < seenByAll(documentOf(own));
}

void DocumentCells::appendRow(Index i, KeyRanges& ranges) const {
  if (i >= length())
    return;
  const Document& document = documentOf(segmentOf(i));
  const Index end = std::max(i + 1, seenByAll(document));
  for (const std::size_t k : document.segments) {
    if (segments_[k].begin >= end)
      break;
    ranges.push_back({segments_[k].begin, std::min(segments_[k].end, end), 1, 1});
  }
}

// The rows of one segment: keys of the document before them or seen by all count in every row,
// those among the rows from the diagonal on.
Index DocumentCells::countSegment(std::size_t segment, const Rect& rect) const {
  const Document& document = documentOf(segment);
  const Rect rows = intersection(
      rect, {segments_[segment].begin, segments_[segment].end, rect.keyBegin, rect.keyEnd});
  if (rows.empty())
    return 0;
  const Index whole = std::max(seenByAll(document), rows.rowBegin);
  const Index wholeEnd = std::clamp(whole, rows.keyBegin, rows.keyEnd);
  const Index keys =
      tokensBelow(document, wholeEnd) - tokensBelow(document, std::min(rows.keyBegin, wholeEnd));
  const Rect rest{rows.rowBegin, rows.rowEnd, wholeEnd, std::min(rows.keyEnd, rows.rowEnd)};
  return keys * (rows.rowEnd - rows.rowBegin) + attention::count(band(0, kUnbounded), rest);
}

Index DocumentCells::count(const Rect& rect) const {
  Rect r = intersection(rect, {0, length(), 0, length()});
  const bool once = documents_.size() == segments_.size();
  if (once) { // rows outside the keys' documents see none of them
    if (r.empty())
      return 0;
    r.rowBegin = std::max(r.rowBegin, segments_[segmentOf(r.keyBegin)].begin);
    r.rowEnd = std::min(r.rowEnd, segments_[segmentOf(r.keyEnd - 1)].end);
  }
  if (r.empty())
    return 0;
  const std::size_t first = segmentOf(r.rowBegin);
  const std::size_t last = segmentOf(r.rowEnd - 1);
  if (first == last)
    return countSegment(first, r);
  Index cells = countSegment(first, r) + countSegment(last, r);
  if (once || (r.keyBegin == 0 && r.keyEnd == length()))
    return cells + cellEnds_[last - 1] - cellEnds_[first];
  for (std::size_t k = first + 1; k < last; ++k)
    cells += countSegment(k, r);
  return cells;
}

std::optional<Index> DocumentCells::rowBreaks(std::vector<Index>& breaks) const {
  breaks.push_back(0);
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    breaks.push_back(segments_[k].end);
    // From there on the query sees more than the prefix.
    const Index prefix = seenByAll(documentOf(k));
    for (const Index row : {prefix - 1, prefix})
      if (row > segments_[k].begin && row < segments_[k].end)
        breaks.push_back(row);
  }
  return 1;
}

std::string DocumentCells::explain(Index i, Index j) const {
  if (i >= length())
    return "query " + std::to_string(i) + " lies in no document";
  const Index own = segments_[segmentOf(i)].id;
  const Index other = segments_[segmentOf(j)].id;
  if (own != other)
    return "query in document " + std::to_string(own) + ", key in document " +
           std::to_string(other);
  const std::string both = "both in document " + std::to_string(own);
  if (!causal_)
    return both;
  if (j <= i)
    return both + " and " + std::to_string(j) + " ≤ " + std::to_string(i);
  if (contains(i, j))
    return both + ", key " + std::to_string(j) + " in its prefix";
  return both + ", but key " + std::to_string(j) + " > query " + std::to_string(i);
}

} // namespace attention
