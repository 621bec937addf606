// A board as a picture, with its strips and bars drawn.
#pragma once

#include "core/plot/figure.h"
#include "core/views/board/board.h"

#include <cstddef>
#include <optional>

namespace attention {

// How a board is laid out, in units of its diagram.
struct BoardLook {
  Index step = 0; // as in boardAt; columns that later steps write are left out
  Size room = {}; // that wider strips and higher lines fill; none: as its words need
  bool operator==(const BoardLook&) const = default;
};
// What it takes without a room, but with lines as low as words allow.
Size leastBoardSize(const Board& board, Index step = 0);

// The board after a step, which its caption counts, as large as after all.
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
std::optional<std::size_t> boardHeadingAt(const Board& board, const Point& units);

} // namespace attention
