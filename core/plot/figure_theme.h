// A figure in the colours of another theme.
#pragma once

#include "core/plot/figure.h"

namespace attention {

// The same figure for a light or a dark background: its legends keep the hues of their parts.
Figure inTheme(Figure figure, FigureTheme theme);

} // namespace attention
