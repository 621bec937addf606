// A board as a picture, with its strips and bars drawn.
#pragma once

#include "core/plot/figure.h"
#include "core/views/board/board.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace attention {

// How a column stands in the picture: with its numbers, a strip as shades without them, in as
// little room as shades take, or not at all.
enum class ColumnForm { Written, Shaded, Narrow, Gone };

// How a board is laid out, in units of its diagram.
struct BoardLook {
  Index step = 0; // as in boardAt; columns that later steps write are left out
  Size room = {}; // that wider strips and higher lines fill; none: as its words need
  std::vector<ColumnForm> forms = {}; // of the columns; none: all are written
  bool operator==(const BoardLook&) const = default;
};
// What it takes without a room, but with lines as low as words allow.
Size leastBoardSize(const Board& board, Index step = 0);
double leastBoardHeight(const Board& board);

// The columns of a step in less and less room. Those that the step does not compute with make room,
// the oldest first: as shades, then not at all; in the picture of all steps they stay as shades.
// Where that does not do, sentences are cut, with "…", and left out, and strips that it needs lose
// their numbers. Last, columns that have a rank are left out.
struct BoardRung {
  std::vector<ColumnForm> forms;
  double width = 0;    // least, in units
  bool needed = false; // it takes from columns that the step computes with
};
// The first one has all columns written.
std::vector<BoardRung> boardRungs(const Board& board, Index step);
// The first of them that is at most `wanted` units wide, where that takes nothing that the step
// needs; else the first that is at most `most` wide, or the last.
const BoardRung& rungFor(std::span<const BoardRung> rungs, double wanted, double most);

// "A wider picture adds “far” and “same token”.": the columns with a rank that are left out;
// nothing where none is.
std::string leftOutText(const Board& board, std::span<const ColumnForm> forms);

// The board after a step, which its caption counts, as large as after all; in a small file with as
// many columns as can be read.
Figure boardFigure(const Board& board, FigureTheme theme = FigureTheme::Light, Index step = 0);
// Without title and caption.
Plot boardPlot(const Board& board, const BoardLook& look = {});

// From one step to another.
struct BoardChange {
  BoardLook from;
  BoardLook to; // over the same place: its units may be larger or smaller
};
// On the way from one to the other, `t` from 0 to 1: columns move to their places, and what only
// one of them has grows or shrinks. At the ends the plots of the steps.
Plot boardBetween(const Board& board, const BoardChange& change, double t);

constexpr double kBoardLine = 5; // units of the diagram from line to line

struct BoardPlace {
  std::size_t line = 0;
  std::size_t column = 0;
  bool operator==(const BoardPlace&) const = default;
};
// What lies there in the diagram's units.
std::optional<BoardPlace> boardPlaceAt(const Board& board, const Point& units,
                                       const BoardLook& look = {});

// The column whose heading lies there.
std::optional<std::size_t> boardHeadingAt(const Board& board, const Point& units,
                                          const BoardLook& look = {});

} // namespace attention
