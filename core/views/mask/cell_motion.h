// From one mask to the next of the same lengths, cell by cell: what both have stays, and in every
// row a cell that the second lacks slides to one that it adds, as far as there are two for each
// other; the rest disappear or appear. A function of time, for a window that draws it.
#pragma once

#include "core/pattern/prepared.h"
#include "core/plot/color.h"

#include <optional>
#include <vector>

namespace attention {

constexpr Index kMostMovingTokens = 64; // per side: with more, cells are too small to be followed

// Where a cell is before and after; without a colour it is not there.
struct CellPath {
  Index query = 0;
  Index from = 0; // keys
  Index to = 0;
  std::optional<Color> before;
  std::optional<Color> after;
  bool operator==(const CellPath&) const = default;
};

struct CellMotion {
  Color ground;
  std::vector<CellPath> paths; // empty where both masks look the same
};

// Whether cells can be followed from one to the other: equal lengths of at most kMostMovingTokens.
bool canMove(const Prepared& before, const Prepared& after);

// On each side of the diagonal, from it outwards: a removed cell slides to the first added cell of
// its hue that is left, unless that is more than a quarter of the keys away. Needs canMove().
// O(cells · keys).
CellMotion cellMotion(const Prepared& before, const Prepared& after, FigureTheme theme);

// A square in the middle of the room that a cell at `key` has.
struct MovedCell {
  Index query = 0;
  double key = 0;
  double size = 1; // of its side
  Color color;
  bool operator==(const MovedCell&) const = default;
};

// The cells at `t`, from 0 (the first mask) to 1 (the second). What appears or disappears grows or
// shrinks and fades. O(cells).
std::vector<MovedCell> cellsAt(const CellMotion& motion, double t);

} // namespace attention
