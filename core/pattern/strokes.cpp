#include "core/pattern/strokes.h"

#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace attention {
namespace {

using Form = Stroke::Shape;

struct ShapeForm {
  Form shape;
  std::string_view name;
  std::size_t shortest; // integers in a place
  std::size_t longest;
  const char* places; // what they must be
};

constexpr std::array kForms{
    ShapeForm{Form::Cells, "cells", 2, 2, "cells [i, j] with 0 ≤ i and 0 ≤ j"},
    ShapeForm{Form::Rectangle, "rectangle", 4, 4,
              "[i0, i1, j0, j1] with 0 ≤ i0 ≤ i1 and 0 ≤ j0 ≤ j1"},
    ShapeForm{Form::Row, "row", 1, 3, "[i] or [i, j0, j1] with 0 ≤ i and 0 ≤ j0 ≤ j1"},
    ShapeForm{Form::Column, "column", 1, 3, "[j] or [j, i0, i1] with 0 ≤ j and 0 ≤ i0 ≤ i1"},
    ShapeForm{Form::Diagonal, "diagonal", 1, 2, "[i − j] or [i − j, width] with 1 ≤ width"},
};

const ShapeForm& formOf(Form shape) {
  return *std::find_if(kForms.begin(), kForms.end(),
                       [&](const ShapeForm& form) { return form.shape == shape; });
}

// Diagonals above every token and below every token.
constexpr Rect kPlane{-kUnbounded, kUnbounded, -kUnbounded, kUnbounded};

std::string listText(const IndexPlace& place) {
  constexpr std::size_t kMostShown = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(place.size(), kMostShown); ++k)
    text += (k == 0 ? "" : ", ") + std::to_string(place[k]);
  return "[" + text + (place.size() > kMostShown ? ", …]" : "]");
}

bool isHalfOpen(Index begin, Index end) {
  return 0 <= begin && begin <= end && end <= kMaxLength;
}
bool isToken(Index x) {
  return 0 <= x && x < kMaxLength;
}

bool fits(const ShapeForm& form, const IndexPlace& at) {
  return form.shortest <= at.size() && at.size() <= form.longest &&
         (form.longest != 3 || at.size() != 2);
}

bool isWithin(Form shape, const IndexPlace& at) {
  switch (shape) {
  case Form::Cells:
    return isToken(at[0]) && isToken(at[1]);
  case Form::Rectangle:
    return isHalfOpen(at[0], at[1]) && isHalfOpen(at[2], at[3]);
  case Form::Row:
  case Form::Column:
    return isToken(at[0]) && (at.size() == 1 || isHalfOpen(at[1], at[2]));
  case Form::Diagonal:
    return -kMaxLength < at[0] && at[0] < kMaxLength &&
           (at.size() == 1 || (1 <= at[1] && at[1] <= kMaxLength));
  }
  return false;
}

void checkStroke(const std::string& subject, std::size_t k, const Stroke& stroke) {
  const std::string name = subject + "[" + std::to_string(k) + "]";
  const auto refuse = [&](ErrorCode code, const std::string& what, const std::string& allowed) {
    throw Error(code, subject, name + what + "; it must be " + allowed);
  };
  const ShapeForm& form = formOf(stroke.shape);
  if (stroke.at.empty())
    refuse(ErrorCode::Type, ".at is an empty list", form.places);
  for (const IndexPlace& place : stroke.at) {
    if (!fits(form, place))
      refuse(ErrorCode::Type, ".at is " + listText(place), form.places);
    if (!isWithin(stroke.shape, place))
      refuse(ErrorCode::Range, ".at is " + listText(place),
             std::string(form.places) + ", none above 2^30");
  }
  if (stroke.period < 0)
    refuse(ErrorCode::Range, ".repeat is " + std::to_string(stroke.period),
           "an integer of at least 1");
}

Primitive diagonals(Index lo, Index hi) {
  return band(lo, hi, 1, kPlane);
}

// Runs of cells that are side by side, those of consecutive rows with the same keys together.
std::vector<Primitive> cellAreas(const SharedList<IndexPlace>& places) {
  std::vector<IndexPair> cells;
  for (const IndexPlace& at : places)
    cells.emplace_back(at[0], at[1]);
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::vector<Rect> runs;
  for (const auto& [i, j] : cells) {
    if (!runs.empty() && runs.back().rowBegin == i && runs.back().keyEnd == j)
      ++runs.back().keyEnd;
    else
      runs.push_back({i, i + 1, j, j + 1});
  }
  const auto byKeys = [](const Rect& a, const Rect& b) {
    return std::tie(a.keyBegin, a.keyEnd, a.rowBegin) < std::tie(b.keyBegin, b.keyEnd, b.rowBegin);
  };
  std::sort(runs.begin(), runs.end(), byKeys);
  std::vector<Primitive> areas;
  for (const Rect& run : runs) {
    Rect* const last = areas.empty() ? nullptr : &areas.back().clip;
    if (last && last->keyBegin == run.keyBegin && last->keyEnd == run.keyEnd &&
        last->rowEnd == run.rowBegin)
      last->rowEnd = run.rowEnd;
    else
      areas.push_back(area(run));
  }
  return areas;
}

Primitive shapeAt(Form shape, const IndexPlace& at) {
  const bool cut = at.size() == 3;
  const Index begin = cut ? at[1] : -kUnbounded;
  const Index end = cut ? at[2] : kUnbounded;
  switch (shape) {
  case Form::Row:
    return area({at[0], at[0] + 1, begin, end});
  case Form::Column:
    return area({begin, end, at[0], at[0] + 1});
  case Form::Diagonal:
    return diagonals(at[0], at[0] + (at.size() == 2 ? at[1] : 1) - 1);
  default:
    return area({at[0], at[1], at[2], at[3]});
  }
}

std::vector<Primitive> shapesOf(const Stroke& stroke) {
  if (stroke.shape == Form::Cells)
    return cellAreas(stroke.at);
  std::vector<Primitive> shapes;
  for (const IndexPlace& at : stroke.at)
    shapes.push_back(shapeAt(stroke.shape, at));
  return shapes;
}

Primitive mirrored(const Primitive& p) {
  if (p.shape == Shape::Band)
    return diagonals(-p.hi, -p.lo);
  return area({p.clip.keyBegin, p.clip.keyEnd, p.clip.rowBegin, p.clip.rowEnd});
}

// At every token: of a rectangle the diagonals through it remain, of diagonals everything.
Primitive everywhere(const Primitive& p) {
  const Rect& r = p.clip;
  return p.shape == Shape::Band ? area(kPlane)
                                : diagonals(r.rowBegin - r.keyEnd + 1, r.rowEnd - r.keyBegin - 1);
}

StrokePiece pieceOf(std::size_t k, const Stroke& stroke, const Primitive& shape) {
  if (stroke.period == 1)
    return {k, stroke.add, everywhere(shape), 0};
  return {k, stroke.add, shape, std::min(stroke.period, kUnbounded)};
}

// The copies k that have a token of [begin, end) in [from, to).
StrokeCopies meeting(Index begin, Index end, Index period, Index from, Index to) {
  return {ceilDiv(from + 1 - end, period), floorDiv(to - 1 - begin, period)};
}

bool isEmpty(const Primitive& p) {
  return p.shape == Shape::Band ? p.lo > p.hi : p.clip.empty();
}

} // namespace

std::string_view name(Stroke::Shape shape) {
  return formOf(shape).name;
}

std::string shapeNames() {
  std::string names;
  for (const ShapeForm& form : kForms)
    names += (names.empty() ? "" : ", ") + std::string(form.name);
  return names;
}

std::optional<Stroke::Shape> shapeNamed(std::string_view name) {
  for (const ShapeForm& form : kForms)
    if (form.name == name)
      return form.shape;
  return std::nullopt;
}

Stroke removeFuture() {
  Stroke stroke;
  stroke.add = false;
  stroke.shape = Stroke::Shape::Diagonal;
  stroke.at = std::vector<IndexPlace>{{1 - kMaxLength, kMaxLength - 1}};
  return stroke;
}

void checkStrokes(const std::string& subject, const StrokeList& strokes) {
  for (std::size_t k = 0; k < strokes.size(); ++k)
    checkStroke(subject, k, strokes[k]);
}

std::vector<StrokePiece> piecesOf(const StrokeList& strokes) {
  std::vector<StrokePiece> pieces;
  for (std::size_t k = 0; k < strokes.size(); ++k)
    for (const Primitive& shape : shapesOf(strokes[k])) {
      if (isEmpty(shape))
        continue;
      pieces.push_back(pieceOf(k, strokes[k], shape));
      if (strokes[k].mirror)
        pieces.push_back(pieceOf(k, strokes[k], mirrored(shape)));
    }
  return pieces;
}

bool contains(const StrokePiece& piece, Index i, Index j) {
  const Primitive& p = piece.shape;
  if (piece.period == 0)
    return p.shape == Shape::Band ? p.lo <= i - j && i - j <= p.hi : p.clip.contains(i, j);
  // The copy that begins last at or before the cell, and those whose end still holds it.
  const auto at = [&](Index begin, Index end, Index x) {
    return StrokeCopies{ceilDiv(x - end + 1, piece.period), floorDiv(x - begin, piece.period)};
  };
  if (p.shape == Shape::Band)
    return at(p.lo, p.hi + 1, i - j).count() > 0;
  const StrokeCopies rows = at(p.clip.rowBegin, p.clip.rowEnd, i);
  const StrokeCopies keys = at(p.clip.keyBegin, p.clip.keyEnd, j);
  return std::max(rows.first, keys.first) <= std::min(rows.last, keys.last);
}

std::optional<bool> lastAt(std::span<const StrokePiece> pieces, Index i, Index j) {
  for (std::size_t k = pieces.size(); k-- > 0;)
    if (contains(pieces[k], i, j))
      return pieces[k].add;
  return std::nullopt;
}

StrokeCopies copiesOf(const StrokePiece& piece, const Rect& part) {
  const Primitive& p = piece.shape;
  const Index period = piece.period == 0 ? 3 * kUnbounded : piece.period; // no second one is near
  if (p.shape == Shape::Band)
    return meeting(p.lo, p.hi + 1, period, part.rowBegin - part.keyEnd + 1,
                   part.rowEnd - part.keyBegin);
  const StrokeCopies rows =
      meeting(p.clip.rowBegin, p.clip.rowEnd, period, part.rowBegin, part.rowEnd);
  const StrokeCopies keys =
      meeting(p.clip.keyBegin, p.clip.keyEnd, period, part.keyBegin, part.keyEnd);
  return {std::max(rows.first, keys.first), std::min(rows.last, keys.last)};
}

Primitive copyOf(const StrokePiece& piece, Index k, const Rect& part) {
  const Index by = k * piece.period;
  const Primitive& p = piece.shape;
  if (p.shape == Shape::Band)
    return band(p.lo + by, p.hi + by, 1, part);
  const Rect& r = p.clip;
  return area(intersection({r.rowBegin + by, r.rowEnd + by, r.keyBegin + by, r.keyEnd + by}, part));
}

} // namespace attention
