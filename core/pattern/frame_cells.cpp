#include "core/pattern/frame_cells.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace attention {

FrameCells::FrameCells(std::vector<Index> widths, Index tokens, bool sink)
    : widths_(std::move(widths)), tokens_(tokens), sink_(sink) {
  for (const Index value : std::set<Index>(widths_.begin(), widths_.end())) {
    if (value < 0)
      continue;
    Width width{value, {0}};
    for (const Index w : widths_)
      width.below.push_back(width.below.back() + (w == value ? 1 : 0));
    different_.push_back(std::move(width));
  }
}

Index FrameCells::width(Index queryFrame, Index keyFrame) const {
  if (sink_ && keyFrame == 0)
    return tokens_ - 1;
  return widths_[static_cast<std::size_t>(std::abs(queryFrame - keyFrame))];
}

bool FrameCells::contains(Index i, Index j) const {
  const Index f = i / tokens_;
  const Index g = j / tokens_;
  return f < frames() && g < frames() && std::abs(i % tokens_ - j % tokens_) <= width(f, g);
}

void FrameCells::appendRow(Index i, KeyRanges& ranges) const {
  const Index f = i / tokens_;
  if (f >= frames())
    return;
  const Index r = i % tokens_;
  for (Index g = 0; g < frames(); ++g) {
    const Index w = width(f, g);
    if (w < 0)
      continue;
    const Index begin = std::max<Index>(r - w, 0);
    const Index end = std::min(r + w + 1, tokens_);
    ranges.push_back({g * tokens_ + begin, g * tokens_ + end, 1, 1});
  }
}

Index FrameCells::pairs(Index width) const {
  return width < 0 ? 0 : tokens_ + 2 * (width * tokens_ - triangle(width));
}

Index FrameCells::countPair(Index queryFrame, Index keyFrame, const Rect& rect) const {
  const Index w = width(queryFrame, keyFrame);
  const Index row = queryFrame * tokens_;
  const Index key = keyFrame * tokens_;
  const Rect within =
      intersection({rect.rowBegin - row, rect.rowEnd - row, rect.keyBegin - key, rect.keyEnd - key},
                   {0, tokens_, 0, tokens_});
  return w < 0 || within.empty() ? 0 : attention::count(band(-w, w), within);
}

// Distance by distance; the first frame as a sink by itself.
Index FrameCells::countWhole(const Frames& queries, const Frames& keys) const {
  Index cells = 0;
  Frames rest = keys;
  if (sink_ && keys.begin == 0 && keys.end > 0) {
    cells += (queries.end - queries.begin) * tokens_ * tokens_;
    rest.begin = 1;
  }
  for (Index d = queries.begin - rest.end + 1; d < queries.end - rest.begin; ++d) {
    const Index both =
        std::min(queries.end, rest.end + d) - std::max(queries.begin, rest.begin + d);
    if (both > 0)
      cells += both * pairs(widths_[static_cast<std::size_t>(std::abs(d))]);
  }
  return cells;
}

// Width by width: how many of the others are at distances that have it. A sink is one of its own.
Index FrameCells::countFrame(Index frame, const Frames& others, const Frames& positions,
                             bool isKey) const {
  const Index some = positions.end - positions.begin;
  if (sink_ && isKey && frame == 0)
    return (others.end - others.begin) * some * tokens_;
  Index cells = 0;
  Frames rest = others;
  if (sink_ && !isKey && rest.begin == 0 && rest.end > 0) {
    cells += some * tokens_;
    rest.begin = 1;
  }
  const Frames before{rest.begin, std::max(rest.begin, std::min(rest.end, frame))};
  const Frames after{std::min(rest.end, std::max(rest.begin, frame)), rest.end};
  for (const Width& width : different_) {
    const auto below = [&](Index distance) {
      return width.below[static_cast<std::size_t>(distance)];
    };
    Index frames = 0;
    if (before.begin < before.end)
      frames += below(frame - before.begin + 1) - below(frame - before.end + 1);
    if (after.begin < after.end)
      frames += below(after.end - frame) - below(after.begin - frame);
    if (frames > 0)
      cells += frames * attention::count(band(-width.value, width.value),
                                         {positions.begin, positions.end, 0, tokens_});
  }
  return cells;
}

FrameCells::Frames FrameCells::wholeIn(Index begin, Index end) const {
  const Index first = ceilDiv(begin, tokens_);
  return {first, std::max(first, end / tokens_)};
}

Index FrameCells::count(const Rect& rect) const {
  const Index n = frames() * tokens_;
  const Rect r = intersection(rect, {0, n, 0, n});
  if (r.empty())
    return 0;
  const Frames queries = wholeIn(r.rowBegin, r.rowEnd);
  const Frames keys = wholeIn(r.keyBegin, r.keyEnd);
  Index cells =
      queries.begin < queries.end && keys.begin < keys.end ? countWhole(queries, keys) : 0;
  // Pairs of frames of which the rectangle cuts at least one.
  const auto isWhole = [](const Frames& whole, Index frame) {
    return whole.begin <= frame && frame < whole.end;
  };
  const Frames rows{r.rowBegin / tokens_, ceilDiv(r.rowEnd, tokens_)};
  const Frames columns{r.keyBegin / tokens_, ceilDiv(r.keyEnd, tokens_)};
  const auto positions = [&](Index frame, Index begin, Index end) {
    return Frames{std::max<Index>(begin - frame * tokens_, 0),
                  std::min(end - frame * tokens_, tokens_)};
  };
  // At most two frames of queries, and two of keys, are cut.
  const auto cut = [&](const Frames& met, const Frames& whole) {
    std::vector<Index> frames;
    for (const Index frame : {met.begin, met.end - 1})
      if (!isWhole(whole, frame) && (frames.empty() || frames.back() != frame))
        frames.push_back(frame);
    return frames;
  };
  const std::vector<Index> cutKeys = cut(columns, keys);
  for (const Index f : cut(rows, queries)) {
    if (keys.begin < keys.end)
      cells += countFrame(f, keys, positions(f, r.rowBegin, r.rowEnd), false);
    for (const Index g : cutKeys)
      cells += countPair(f, g, r);
  }
  for (const Index g : cutKeys)
    if (queries.begin < queries.end)
      cells += countFrame(g, queries, positions(g, r.keyBegin, r.keyEnd), true);
  return cells;
}

// A band is cut at both ends of a frame, as far from them as it is wide.
std::optional<Index> FrameCells::rowBreaks(std::vector<Index>& breaks) const {
  std::set<Index> positions{0};
  for (const Index w : widths_)
    if (w >= 0)
      for (const Index position : {w, w + 1, tokens_ - 1 - w, tokens_ - w})
        if (0 < position && position < tokens_)
          positions.insert(position);
  for (Index f = 0; f <= frames(); ++f)
    for (const Index position : positions)
      breaks.push_back(f * tokens_ + position);
  return 1;
}

std::string FrameCells::explain(Index i, Index j) const {
  const Index f = i / tokens_;
  const Index g = j / tokens_;
  if (f >= frames() || g >= frames())
    return (f >= frames() ? "query " + std::to_string(i) : "key " + std::to_string(j)) +
           " lies behind the frames";
  const std::string between = "frames " + std::to_string(f) + " and " + std::to_string(g);
  if (sink_ && g == 0)
    return between + ": all see the first frame";
  const Index w = width(f, g);
  if (w < 0)
    return between + ": no bands at distance " + std::to_string(std::abs(f - g));
  const Index apart = std::abs(i % tokens_ - j % tokens_);
  return between + ", positions " + std::to_string(i % tokens_) + " and " +
         std::to_string(j % tokens_) + ": " + std::to_string(apart) + (apart <= w ? " ≤ " : " > ") +
         std::to_string(w);
}

} // namespace attention
