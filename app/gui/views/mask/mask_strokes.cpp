#include "app/gui/views/mask/mask_strokes.h"

#include "app/gui/pictures/paint.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/strokes.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace attention::gui {
namespace {

using Form = Stroke::Shape;
using Places = std::vector<IndexPlace>;

constexpr double kPointerCovers = 2; // points
constexpr Index kMostCopiesShown = 4096;

// The cells from one to another, both included, `step` apart, in a straight line.
std::vector<Cell> line(const Cell& from, const Cell& to, Index step) {
  const Index length = std::max(std::abs(to.query - from.query), std::abs(to.key - from.key));
  const Index count = std::max<Index>(ceilDiv(length, step), 1);
  std::vector<Cell> cells;
  for (Index k = 0; k <= count; ++k) {
    const auto at = [&](Index a, Index b) {
      return a + static_cast<Index>(
                     std::llround(static_cast<double>((b - a) * k) / static_cast<double>(count)));
    };
    cells.push_back({at(from.query, to.query), at(from.key, to.key)});
  }
  return cells;
}

// Of a brush that is `side` cells wide, about the cell.
IndexPlace dab(const Cell& at, Index side, const Lengths& lengths) {
  const auto begin = [&](Index x) { return std::max<Index>(x - side / 2, 0); };
  const auto end = [&](Index x, Index most) { return std::min(x - side / 2 + side, most); };
  return {begin(at.query), end(at.query, lengths.queries + lengths.offset), begin(at.key),
          end(at.key, lengths.keys)};
}

void brush(Stroke& stroke, const StrokePath& path, Index side, const Lengths& lengths) {
  std::set<IndexPlace> places;
  for (std::size_t k = 0; k < path.cells.size(); ++k) {
    const Cell& before = path.cells[k == 0 ? 0 : k - 1];
    for (const Cell& cell : line(before, path.cells[k], std::max<Index>(side / 4, 1)))
      places.insert(side == 1 ? IndexPlace{cell.query, cell.key} : dab(cell, side, lengths));
  }
  stroke.shape = side == 1 ? Form::Cells : Form::Rectangle;
  stroke.at = Places(places.begin(), places.end());
}

// The cells between two corners, in whole blocks of `side`.
IndexPlace between(const Cell& a, const Cell& b, Index side) {
  const auto [i0, i1] = std::minmax(a.query, b.query);
  const auto [j0, j1] = std::minmax(a.key, b.key);
  const auto begin = [&](Index x) { return x / side * side; };
  const auto end = [&](Index x) { return std::min(begin(x) + side, kMaxLength); };
  return {begin(i0), end(i1), begin(j0), end(j1)};
}

// All of a line, or what of it the pointer was dragged along.
IndexPlace along(Index at, Index from, Index to, bool dragged) {
  if (!dragged)
    return {at};
  return {at, std::min(from, to), std::max(from, to) + 1};
}

IndexPlace diagonals(const Cell& from, const Cell& to) {
  const Index a = from.query - from.key;
  const Index b = to.query - to.key;
  const Index width = std::abs(a - b) + 1;
  return width == 1 ? IndexPlace{a} : IndexPlace{std::min(a, b), width};
}

// The cell under the pointer, while the button is down also beyond the edges.
Cell cellNear(const MaskFrame& frame, const Lengths& lengths, float x, float y) {
  const auto within = [](double at, Index most) {
    return std::clamp<Index>(static_cast<Index>(std::floor(at)), 0, most - 1);
  };
  return {within(frame.queryAt(y), lengths.queries), within(frame.keyAt(x), lengths.keys)};
}

Index reachOf(const MaskFrame& frame) {
  return std::max<Index>(static_cast<Index>(std::ceil(kPointerCovers / frame.scale)), 1);
}

// The stretch of some tokens on the screen, at least a point and a half long.
std::pair<float, float> thinAtLeast(float from, float to) {
  constexpr float kLeast = 1.5F;
  return {from, std::max(to, from + kLeast)};
}

// A band of diagonals as one slanted piece; Clip cuts it to the matrix.
void fillBand(const MaskFrame& frame, const Primitive& band, const CellRect& seen, Index offset,
              ImU32 tint) {
  const auto top = static_cast<double>(seen.rowBegin);
  const auto bottom = static_cast<double>(seen.rowEnd);
  const auto left = [&](double query) {
    return frame.x(query + static_cast<double>(offset - band.hi));
  };
  const auto right = [&](double query) {
    return thinAtLeast(left(query), frame.x(query + static_cast<double>(offset - band.lo))).second;
  };
  ImGui::GetWindowDrawList()->AddQuadFilled(
      ImVec2(left(top), frame.y(top)), ImVec2(right(top), frame.y(top)),
      ImVec2(right(bottom), frame.y(bottom)), ImVec2(left(bottom), frame.y(bottom)), tint);
}

// Row by row, as cells are drawn, where cells are large enough to be told apart.
void fillDiagonalCells(const MaskFrame& frame, const Primitive& band, const CellRect& seen,
                       Index offset, ImU32 tint) {
  for (Index query = seen.rowBegin; query < seen.rowEnd; ++query) {
    const auto x = [&](Index distance) {
      return frame.x(static_cast<double>(query + offset - distance));
    };
    const auto at = static_cast<double>(query);
    fill({x(band.hi), frame.y(at), x(band.lo - 1), frame.y(at + 1)}, tint);
  }
}

void fillShape(const MaskFrame& frame, const Primitive& shape, const CellRect& seen, Index offset,
               ImU32 tint) {
  constexpr double kCellsFrom = 3; // points
  if (shape.shape == Shape::Band) {
    const auto draw = frame.scale >= kCellsFrom ? fillDiagonalCells : fillBand;
    return draw(frame, shape, seen, offset, tint);
  }
  const CellRect& r = shape.clip;
  const auto at = [](Index x) { return static_cast<double>(x); };
  const auto [left, right] = thinAtLeast(frame.x(at(r.keyBegin)), frame.x(at(r.keyEnd)));
  const auto [top, bottom] =
      thinAtLeast(frame.y(at(r.rowBegin - offset)), frame.y(at(r.rowEnd - offset)));
  fill({left, top, right, bottom}, tint);
}

} // namespace

Stroke strokeAlong(const DrawTool& tool, const StrokePath& path, const Lengths& lengths) {
  const Cell& from = path.cells.front();
  const Cell& to = path.cells.back();
  Stroke stroke;
  stroke.add = tool.remove == path.turned;
  stroke.mirror = tool.mirror;
  stroke.period = tool.period.value_or(0);
  switch (tool.kind) {
  case DrawTool::Kind::Brush:
    brush(stroke, path, std::max(tool.brush, path.reach), lengths);
    break;
  case DrawTool::Kind::Rectangle:
  case DrawTool::Kind::Block:
    stroke.shape = Form::Rectangle;
    stroke.at = Places{between(from, to, tool.kind == DrawTool::Kind::Block ? tool.block : 1)};
    break;
  case DrawTool::Kind::Row:
    stroke.shape = Form::Row;
    stroke.at = Places{along(from.query, from.key, to.key, path.dragged)};
    break;
  case DrawTool::Kind::Column:
    stroke.shape = Form::Column;
    stroke.at = Places{along(from.key, from.query, to.query, path.dragged)};
    break;
  case DrawTool::Kind::Diagonal:
    stroke.shape = Form::Diagonal;
    stroke.at = Places{diagonals(from, to)};
    break;
  }
  return stroke;
}

void StrokesByHand::beginFrame(bool drawing) {
  shown_.reset();
  if (!drawing)
    path_.reset();
}

void StrokesByHand::take(const ViewContext& context, const CanvasInput& input, std::size_t tile,
                         const MaskFrame& frame, const Lengths& lengths) {
  if (path_ ? tile_ != tile : !input.hovered)
    return;
  Cell cell = cellNear(frame, lengths, input.mouseX, input.mouseY);
  cell.query += lengths.offset;
  if (!path_ && cell.query < 0) // acts as no token: its row is empty
    return;
  cell.query = std::max<Index>(cell.query, 0);
  const bool begins = !path_ && (input.pressed || input.clicked);
  const StrokePath begun{{cell}, false, input.shift, reachOf(frame)};
  if (begins) {
    path_ = begun;
    tile_ = tile;
  }
  if (path_)
    goOn(input, cell);
  shown_ = strokeAlong(context.draw, path_ ? *path_ : begun, lengths);
  if (!path_ || input.held)
    return;
  context.actions.edit("stroke", [stroke = *shown_](Scene& s) {
    setEditedPattern(s, withStroke(editedPattern(s), stroke));
  });
  path_.reset();
}

void StrokesByHand::goOn(const CanvasInput& input, const Cell& cell) {
  path_->dragged = path_->dragged || input.dragging || input.released;
  if (path_->dragged && !(path_->cells.back() == cell))
    path_->cells.push_back(cell);
}

void StrokesByHand::draw(const Ui& ui, const MaskFrame& frame, const Lengths& lengths) const {
  if (!shown_)
    return;
  const Clip clip(maskOutline(frame, lengths));
  const ImU32 tint = color(shown_->add ? ui.colors().good : ui.colors().bad, 0.55F);
  const CellRect seen = visibleCells(frame, lengths);
  const CellRect tokens{std::max<Index>(seen.rowBegin + lengths.offset, 0),
                        seen.rowEnd + lengths.offset, seen.keyBegin, seen.keyEnd};
  if (tokens.empty())
    return;
  Index copies = 0;
  for (const StrokePiece& piece : piecesOf({*shown_})) {
    const StrokeCopies all = copiesOf(piece, tokens);
    for (Index k = all.first; k <= all.last && copies < kMostCopiesShown; ++k, ++copies)
      fillShape(frame, copyOf(piece, k, tokens), seen, lengths.offset, tint);
  }
}

} // namespace attention::gui
