// Rectangles side by side and one above the other: how the views of several pictures divide their
// room. All in points.
#pragma once

#include "app/gui/view/view.h"
#include "core/figure/figure.h"

#include <vector>

namespace attention::gui {

using Rects = std::vector<Rect>;

// `count` ≥ 1 of the same width side by side.
Rects rowOf(const Rect& area, std::size_t count, float gap);
// `count` ≥ 1 of the same height one above the other.
Rects columnOf(const Rect& area, std::size_t count, float gap);
// The same, the last one `more` higher than the others: what only it has at its foot.
Rects columnOf(const Rect& area, std::size_t count, float gap, float more);
// The plots of a panel one above the other, below `titleHeight` where it has a title.
Rects plotRects(Rect area, const FigurePanel& panel, float titleHeight, float gap);

} // namespace attention::gui
