#include "core/pattern/span_cells.h"

#include <algorithm>
#include <unordered_map>

namespace attention {
namespace {

// Those segments, in order, that meet [begin, end).
std::pair<std::size_t, std::size_t> meeting(const std::vector<Segment>& segments, Index begin,
                                            Index end) {
  const auto from = std::partition_point(segments.begin(), segments.end(),
                                         [&](const Segment& s) { return s.end <= begin; });
  const auto to =
      std::partition_point(from, segments.end(), [&](const Segment& s) { return s.begin < end; });
  return {static_cast<std::size_t>(from - segments.begin()),
          static_cast<std::size_t>(to - segments.begin())};
}

} // namespace

SpanCells::SpanCells(std::vector<Segment> segments, const SpanReach& reach)
    : segments_(std::move(segments)), reach_(reach) {
  std::unordered_map<Index, std::size_t> known;
  for (Segment& segment : segments_) {
    const auto [at, fresh] = known.emplace(segment.id, spans_.size());
    if (fresh) {
      spans_.emplace_back();
      ids_.push_back(segment.id);
    }
    segment.id = static_cast<Index>(at->second);
    Span& span = spans_[at->second];
    span.segments.push_back(segment);
    span.tokens.push_back(span.tokens.back() + segment.end - segment.begin);
  }
  Index cells = 0;
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    cells += countSegment(k, kEverywhere);
    cellEnds_.push_back(cells);
  }
}

std::size_t SpanCells::behind(Index token) const {
  return meeting(segments_, token, token).first;
}

Index SpanCells::spanOf(Index token) const {
  const std::size_t k = behind(token);
  const bool in = k < segments_.size() && segments_[k].begin <= token;
  return in ? ids_[static_cast<std::size_t>(segments_[k].id)] : -1;
}

bool SpanCells::contains(Index i, Index j) const {
  const bool near = (j > i && j - i <= reach_.ahead) || i - j >= reach_.behind;
  const Index span = near ? spanOf(i) : -1;
  return span >= 0 && span == spanOf(j);
}

void SpanCells::appendRow(Index i, KeyRanges& ranges) const {
  const std::size_t own = behind(i);
  if (own == segments_.size() || segments_[own].begin > i)
    return;
  const Span& span = spans_[static_cast<std::size_t>(segments_[own].id)];
  const auto append = [&](Index begin, Index end) {
    const auto [from, to] = meeting(span.segments, begin, end);
    for (std::size_t k = from; k < to; ++k)
      ranges.push_back(
          {std::max(span.segments[k].begin, begin), std::min(span.segments[k].end, end), 1, 1});
  };
  append(0, i - reach_.behind + 1);
  append(i + 1, i + 1 + reach_.ahead);
}

Index SpanCells::tokensBelow(const Span& span, Index token) const {
  const std::size_t k = meeting(span.segments, token, token).first;
  if (k == span.segments.size())
    return span.tokens.back();
  return span.tokens[k] + std::max<Index>(token - span.segments[k].begin, 0);
}

// The cells of a band whose keys are the span's. Keys that all its rows see count at once, those
// that its ends cut segment by segment.
Index SpanCells::countBand(const Span& span, const Primitive& band) const {
  const Rect& rect = band.clip;
  const auto inside = [&](Index key) { return std::clamp(key, rect.keyBegin, rect.keyEnd); };
  const Index begin = inside(rect.rowBegin - band.hi);
  const Index end = std::max(begin, inside(rect.rowEnd - band.lo));
  const Index allBegin = std::min(end, std::max(begin, inside(rect.rowEnd - 1 - band.hi)));
  const Index allEnd = std::max(allBegin, std::min(end, inside(rect.rowBegin - band.lo + 1)));
  Index cells =
      (tokensBelow(span, allEnd) - tokensBelow(span, allBegin)) * (rect.rowEnd - rect.rowBegin);
  const auto addCut = [&](Index from, Index to) {
    const auto [first, last] = meeting(span.segments, from, to);
    for (std::size_t k = first; k < last; ++k) {
      Primitive cut = band;
      cut.clip.keyBegin = std::max(span.segments[k].begin, from);
      cut.clip.keyEnd = std::min(span.segments[k].end, to);
      cells += attention::count(cut, cut.clip);
    }
  };
  addCut(begin, allBegin);
  addCut(allEnd, end);
  return cells;
}

Index SpanCells::countSegment(std::size_t segment, const Rect& rect) const {
  const Segment& own = segments_[segment];
  const Rect rows = intersection(rect, {own.begin, own.end, rect.keyBegin, rect.keyEnd});
  if (rows.empty())
    return 0;
  const Span& span = spans_[static_cast<std::size_t>(own.id)];
  const Index ahead = countBand(span, band(-reach_.ahead, -1, 1, rows));
  return reach_.behind >= kUnbounded
             ? ahead
             : ahead + countBand(span, band(reach_.behind, kUnbounded, 1, rows));
}

Index SpanCells::count(const Rect& rect) const {
  const Rect r = intersection(rect, kEverywhere);
  if (r.empty() || segments_.empty())
    return 0;
  auto [first, last] = meeting(segments_, r.rowBegin, r.rowEnd);
  if (once()) { // rows of other spans see none of these keys
    const auto [from, to] = meeting(segments_, r.keyBegin, r.keyEnd);
    first = std::max(first, from);
    last = std::min(last, to);
  }
  if (first >= last)
    return 0;
  const bool whole = once() || (r.keyBegin == 0 && r.keyEnd >= segments_.back().end);
  Index cells = countSegment(first, r);
  if (last - first > 1)
    cells += countSegment(last - 1, r);
  if (last - first > 2 && whole)
    return cells + cellEnds_[last - 2] - cellEnds_[first];
  for (std::size_t k = first + 1; k + 1 < last; ++k)
    cells += countSegment(k, r);
  return cells;
}

std::optional<Index> SpanCells::rowBreaks(std::vector<Index>& breaks) const {
  if (!once())
    return std::nullopt;
  for (const Segment& s : segments_) {
    breaks.insert(breaks.end(), {s.begin, s.end});
    for (const Index row : {s.end - 1 - reach_.ahead, s.begin + reach_.behind})
      if (row > s.begin && row < s.end)
        breaks.insert(breaks.end(), {row - 1, row, row + 1});
  }
  return 1;
}

} // namespace attention
