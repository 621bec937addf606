// A query's steps as a picture: the board with its strips and bars drawn.
#pragma once

#include "core/plot/figure.h"
#include "core/views/steps/steps_board.h"

#include <cstddef>
#include <optional>

namespace attention {

// The board after a step (boardAt); the line of `key` is lit.
Figure stepsFigure(const StepsBoard& board, FigureTheme theme = FigureTheme::Light, Index step = 0,
                   std::optional<Index> key = {});
// Without title and caption.
Plot boardPlot(const StepsBoard& board, Index step = 0, std::optional<Index> key = {});

struct BoardPlace {
  std::size_t line = 0;
  std::size_t column = 0;
  bool operator==(const BoardPlace&) const = default;
};
// What lies there in the diagram's units.
std::optional<BoardPlace> boardPlaceAt(const StepsBoard& board, const Point& units);

} // namespace attention
