#include "core/pattern/segment_cells.h"

#include "core/support/integers.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

constexpr Index kMostPieces = Index{1} << 20;
constexpr std::size_t kMostBranches = 8; // combinations double with each

// Longer than any sequence.
constexpr Index kLongestStep = 2 * kMaxLength;

Index commonMultiple(Index a, Index b) {
  return std::min(std::lcm(a, b), kLongestStep);
}

Index commonStep(const std::vector<DilatedBranch>& of) {
  Index step = 1;
  for (const DilatedBranch& b : of)
    step = commonMultiple(step, b.dilation);
  return step;
}

// After so many tokens the branches' cells repeat. Segments that consist of the shortest ones, and
// these of whole dilations, look the same from each of them.
Index periodOf(const std::vector<DilatedBranch>& of) {
  Index shortest = kLongestStep;
  for (const DilatedBranch& b : of)
    shortest = std::min(shortest, b.segment);
  Index period = shortest;
  for (const DilatedBranch& b : of)
    if (b.segment % shortest != 0 || shortest % b.dilation != 0)
      period = commonMultiple(period, b.segment);
  return period;
}

Index firstEdgeAfter(const std::vector<DilatedBranch>& of, Index token) {
  Index edge = kLongestStep;
  for (const DilatedBranch& b : of)
    edge = std::min(edge, b.begin(token) + b.segment);
  return edge;
}

// The first token of [begin, end), which no segment's edge cuts, that all branches hold; else end.
Index firstShared(const std::vector<DilatedBranch>& of, Index begin, Index end) {
  Index first = begin;
  Index step = 1;
  for (const DilatedBranch& b : of) {
    const auto missing = [&] { return floorMod(first - b.begin(begin) - b.shift, b.dilation); };
    if (step == 1)
      first += floorMod(-missing(), b.dilation);
    for (Index tries = 1; first < end && missing() != 0; ++tries) {
      first += step;
      if (tries == b.dilation) // its residues repeat
        return end;
    }
    step = commonMultiple(step, b.dilation);
  }
  return std::min(first, end);
}

} // namespace

SharedCells::SharedCells(const std::vector<DilatedBranch>& of, Index keys, bool causal)
    : causal_(causal), period_(periodOf(of)), step_(commonStep(of)) {
  while (end_ < std::min(period_, keys)) {
    const Index edge = std::min(firstEdgeAfter(of, end_), period_);
    pieces_.push_back({end_, firstShared(of, end_, edge), whole_});
    end_ = edge;
    const Index all = taken(pieces_.size() - 1, edge);
    whole_ += pairs(all, all);
  }
}

Index SharedCells::end(std::size_t piece) const {
  return piece + 1 < pieces_.size() ? pieces_[piece + 1].begin : end_;
}

Index SharedCells::taken(std::size_t piece, Index position) const {
  const Index first = pieces_[piece].first;
  return position > first ? (position - 1 - first) / step_ + 1 : 0;
}

Index SharedCells::pairs(Index rows, Index keys) const {
  if (!causal_)
    return rows * keys;
  return rows <= keys ? triangle(rows) : triangle(keys) + (rows - keys) * keys;
}

SharedCells::Place SharedCells::placeOf(Index token) const {
  const Index position = std::min(token % period_, end_);
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), position,
                       [](Index at, const Piece& piece) { return at < piece.begin; });
  const auto piece = static_cast<std::size_t>(after - pieces_.begin()) - 1;
  return {token / period_, piece, taken(piece, position)};
}

// The cells of whole pieces, and what the two edges leave of the next one.
Index SharedCells::corner(Index y, Index x) const {
  const Place above = placeOf(y);
  const Place before = placeOf(x);
  const auto order =
      std::pair(above.period, above.piece) <=> std::pair(before.period, before.piece);
  const Place& last = order < 0 ? above : before;
  const Index all = taken(last.piece, end(last.piece));
  return last.period * whole_ + pieces_[last.piece].before +
         pairs(order > 0 ? all : above.taken, order < 0 ? all : before.taken);
}

bool fewPieces(const std::vector<DilatedBranch>& branches, Index keys) {
  if (branches.size() > kMostBranches)
    return false;
  Index pieces = 0;
  std::vector<DilatedBranch> some;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << branches.size(); ++chosen) {
    some.clear();
    for (std::size_t k = 0; k < branches.size(); ++k)
      if (chosen >> k & 1U)
        some.push_back(branches[k]);
    const Index length = std::min(periodOf(some), keys);
    for (const DilatedBranch& b : some)
      pieces += ceilDiv(length, b.segment);
  }
  return pieces <= kMostPieces;
}

SegmentCells::SegmentCells(std::vector<DilatedBranch> in, std::vector<DilatedBranch> out,
                           Index keys, bool causal)
    : in_(std::move(in)), out_(std::move(out)), keys_(keys), causal_(causal) {
  std::vector<DilatedBranch> shared = in_;
  addTerms(shared, 0, 1);
  std::erase_if(terms_, [](const auto& term) { return term.second == 0; });
}

// Inclusion and exclusion: less those of one branch outside, plus those of two, and so on.
void SegmentCells::addTerms(std::vector<DilatedBranch>& shared, std::size_t next, Index sign) {
  SharedCells cells(shared, keys_, causal_);
  if (cells.empty()) // and so are those of more branches
    return;
  const auto same = std::find_if(terms_.begin(), terms_.end(),
                                 [&](const auto& term) { return term.first == cells; });
  if (same != terms_.end())
    same->second += sign;
  else
    terms_.emplace_back(std::move(cells), sign);
  for (std::size_t k = next; k < out_.size(); ++k) {
    shared.push_back(out_[k]);
    addTerms(shared, k + 1, -sign);
    shared.pop_back();
  }
}

bool SegmentCells::contains(Index i, Index j) const {
  const auto holds = [&](const DilatedBranch& b) { return b.holds(i, j); };
  return (!causal_ || j <= i) && std::all_of(in_.begin(), in_.end(), holds) &&
         std::none_of(out_.begin(), out_.end(), holds);
}

// Between the edges of segments, the same branches are left out.
void SegmentCells::appendRow(Index i, KeyRanges& ranges) const {
  KeySpan keys{0, causal_ ? std::min(keys_, i + 1) : keys_};
  for (const DilatedBranch& b : in_) {
    if (!b.holds(i))
      return;
    keys = {std::max(keys.begin, b.begin(i)), std::min(keys.end, b.begin(i) + b.segment)};
  }
  const Index step = commonStep(in_);
  for (KeySpan piece{keys.begin, keys.end}; piece.begin < keys.end; piece = {piece.end, keys.end}) {
    for (const DilatedBranch& b : out_)
      if (b.holds(i))
        for (const Index edge : {b.begin(i), b.begin(i) + b.segment})
          if (edge > piece.begin)
            piece.end = std::min(piece.end, edge);
    appendPiece(i, piece, step, ranges);
  }
}

// Keys of i's residue, less those of the residues of branches outside that hold i here.
void SegmentCells::appendPiece(Index i, const KeySpan& piece, Index step, KeyRanges& ranges) const {
  const auto near = [&](const DilatedBranch& b) {
    return b.holds(i) && b.begin(i) == b.begin(piece.begin);
  };
  Index period = step;
  for (const DilatedBranch& b : out_)
    if (near(b))
      period = commonMultiple(period, b.dilation);
  const Index first = piece.begin + floorMod(i - piece.begin, step);
  for (Index j = first; j < std::min(piece.end, first + period); j += step)
    if (std::none_of(out_.begin(), out_.end(),
                     [&](const DilatedBranch& b) { return near(b) && (j - i) % b.dilation == 0; }))
      ranges.push_back({j, j + (piece.end - 1 - j) / period * period + 1, period, 1});
}

Index SegmentCells::count(const Rect& rect) const {
  if (rect.empty())
    return 0;
  Index cells = 0;
  for (const auto& [shared, sign] : terms_)
    cells +=
        sign *
        (shared.corner(rect.rowEnd, rect.keyEnd) - shared.corner(rect.rowBegin, rect.keyEnd) -
         shared.corner(rect.rowEnd, rect.keyBegin) + shared.corner(rect.rowBegin, rect.keyBegin));
  return cells;
}

// Segments have equal rows, except the last one, which may be short.
std::optional<Index> SegmentCells::rowBreaks(std::vector<Index>& breaks) const {
  Index period = 1;
  for (const auto* branches : {&in_, &out_})
    for (const DilatedBranch& b : *branches) {
      period = commonMultiple(period, b.segment);
      const Index last = b.begin(keys_);
      breaks.insert(breaks.end(), {last, keys_, last + b.segment});
    }
  return period;
}

} // namespace attention
