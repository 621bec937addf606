// A query's steps as a picture: the board with its strips and bars drawn.
#pragma once

#include "core/plot/figure.h"
#include "core/views/steps/steps_board.h"

namespace attention {

Figure stepsFigure(const StepsBoard& board, FigureTheme theme = FigureTheme::Light);

// The board alone.
Plot boardPlot(const StepsBoard& board);

} // namespace attention
