// A small picture of a figure: its marks, in lists of figures without words. What would take
// seconds on every core is computed on a smaller Scene: fewer tokens, fewer repeats. For timings it
// shows the cost model's predictions.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/figure.h"
#include "core/support/run.h"
#include "core/views/scene_figure.h"

namespace attention {

// The figure's plots without titles, axes, legends and caption; curves beside other plots are left
// out.
Figure withoutWords(Figure figure);

// That figure laid out in `size` and painted, `scale` pixels per unit; where there is room to read
// them, with all words but title and caption. E_RANGE where `size` is too small.
Image thumbnailOf(Figure figure, const Size& size, double scale, const Run& run = {});

// `size` in units, `scale` pixels per unit. Errors as figureOfScene; E_RANGE where `size` is too
// small.
Image thumbnailOfScene(const Scene& scene, const SceneFigureOptions& options, const Size& size,
                       double scale, const Run& run = {});

} // namespace attention
