// A board as a picture, with its strips and bars drawn.
#pragma once

#include "core/plot/figure.h"
#include "core/views/board/board.h"

#include <cstddef>
#include <optional>

namespace attention {

// The board after a step (boardAt), which its caption counts.
Figure boardFigure(const Board& board, FigureTheme theme = FigureTheme::Light, Index step = 0);
// Without title and caption.
Plot boardPlot(const Board& board, Index step = 0);

constexpr double kBoardLine = 5; // units of the diagram from line to line

struct BoardPlace {
  std::size_t line = 0;
  std::size_t column = 0;
  bool operator==(const BoardPlace&) const = default;
};
// What lies there in the diagram's units.
std::optional<BoardPlace> boardPlaceAt(const Board& board, const Point& units);

// The column whose heading lies there.
std::optional<std::size_t> boardHeadingAt(const Board& board, const Point& units);

} // namespace attention
