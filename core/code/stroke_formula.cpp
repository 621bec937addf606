// Strokes as formulas: what comes again every so many tokens is said by remainders, and many places
// are listed.
#include "core/code/mask_formula.h"
#include "core/pattern/strokes.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {
namespace {

using Kind = Formula::Kind;

constexpr std::size_t kFewPlaces = 4; // of a stroke that is a formula, not a list

Formula difference(Formula a, Formula b) {
  return operation(Kind::Subtract, std::move(a), std::move(b));
}

// (x − begin) mod period < length.
Formula repeated(Formula x, Index begin, Index length, Index period) {
  if (length >= period)
    return {Kind::True, 0, {}};
  const Index first = floorMod(begin, period);
  Formula moved = first == 0 ? std::move(x) : difference(std::move(x), numberOf(first));
  return within(operation(Kind::Modulo, std::move(moved), numberOf(period)), {0, period - 1}, 0,
                length - 1);
}

bool isWhole(Index begin, Index end) {
  return begin <= -kMaxLength && end >= kMaxLength;
}

// A set of pieces that all add or all remove.
class Alike {
public:
  explicit Alike(const TokenRanges& ranges) : ranges_(ranges) {}

  // `few`: whether the stroke has few places.
  void add(const StrokePiece& piece, bool few) {
    const Primitive& p = piece.shape;
    if (p.shape == Shape::Band)
      addBand(piece);
    else if (piece.period == 0 && few)
      any_.push_back(formulaOf(p, ranges_));
    else if (piece.period > 0 && isWhole(p.clip.rowBegin, p.clip.rowEnd))
      any_.push_back(
          repeated(keyToken(), p.clip.keyBegin, p.clip.keyEnd - p.clip.keyBegin, piece.period));
    else if (piece.period > 0 && isWhole(p.clip.keyBegin, p.clip.keyEnd))
      any_.push_back(
          repeated(queryToken(), p.clip.rowBegin, p.clip.rowEnd - p.clip.rowBegin, piece.period));
    else if (piece.period > 0 && p.clip.rowEnd - p.clip.rowBegin <= piece.period)
      addMoved(piece);
    else
      list(piece);
  }

  Formula take() {
    if (!listed_.rows.empty())
      any_.push_back(std::move(listed_));
    return anyOf(std::move(any_));
  }

private:
  void addBand(const StrokePiece& piece) {
    const Primitive& p = piece.shape;
    if (piece.period == 0)
      any_.push_back(formulaOf(band(p.lo, p.hi), ranges_));
    else
      any_.push_back(
          repeated(difference(queryToken(), keyToken()), p.lo, p.hi - p.lo + 1, piece.period));
  }

  // A query is in one copy at most: the key moves back by as many periods as the query.
  void addMoved(const StrokePiece& piece) {
    const Rect& r = piece.shape.clip;
    const Formula begun = difference(queryToken(), numberOf(r.rowBegin));
    const Formula periods = operation(Kind::Divide, begun, numberOf(piece.period));
    const Formula key =
        difference(keyToken(), operation(Kind::Multiply, periods, numberOf(piece.period)));
    const Range known{-4 * kMaxLength, 4 * kMaxLength}; // of no help
    any_.push_back(allOf({repeated(queryToken(), r.rowBegin, r.rowEnd - r.rowBegin, piece.period),
                          within(key, known, r.keyBegin, r.keyEnd - 1)}));
  }

  void list(const StrokePiece& piece) {
    const Rect mask{ranges_.query.least, ranges_.query.most + 1, 0, ranges_.key.most + 1};
    const StrokeCopies copies = copiesOf(piece, mask);
    if (copies.count() > kMostListedRuns - std::ssize(listed_.rows))
      throwRange("mask", "one with more than " + std::to_string(kMostListedRuns) + " listed runs",
                 "at most that many in code where no formula gives the cells");
    for (Index k = copies.first; k <= copies.last; ++k) {
      const Rect cells = copyOf(piece, k, mask).clip;
      listed_.rows.push_back({{{cells.rowBegin, cells.rowEnd}}, {{cells.keyBegin, cells.keyEnd}}});
    }
  }

  const TokenRanges& ranges_;
  std::vector<Formula> any_;
  Formula listed_{Kind::Listed, 0, {}};
};

} // namespace

Formula formulaOf(Formula below, const StrokeList& strokes, const TokenRanges& ranges) {
  const std::vector<StrokePiece> pieces = piecesOf(strokes);
  Formula cells = std::move(below);
  for (std::size_t k = 0; k < pieces.size();) {
    const bool add = pieces[k].add;
    Alike alike(ranges);
    for (; k < pieces.size() && pieces[k].add == add; ++k)
      alike.add(pieces[k], strokes[pieces[k].stroke].at.size() <= kFewPlaces);
    const Formula drawn = alike.take();
    cells = add ? anyOf({std::move(cells), drawn}) : allOf({std::move(cells), negated(drawn)});
  }
  return cells;
}

} // namespace attention
