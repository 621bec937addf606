// A small picture of a figure, for lists of figures: its marks without a word. What takes seconds
// of every core at its size is measured on less in one of a Scene: fewer tokens, fewer repeats. Of
// times it shows what the cost model tells.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/figure.h"
#include "core/support/run.h"
#include "core/views/scene_figure.h"

namespace attention {

// The figure's plots without titles, axes, legends and caption; curves beside other plots are left
// out.
Figure withoutWords(Figure figure);

// It laid out in `size` and painted, `scale` pixels per unit. E_RANGE where `size` has no room.
Image thumbnailOf(const Figure& figure, const Size& size, double scale, const Run& run = {});

// `size` in units, `scale` pixels per unit. Errors as figureOfScene; E_RANGE where `size` has no
// room.
Image thumbnailOfScene(const Scene& scene, const SceneFigureOptions& options, const Size& size,
                       double scale, const Run& run = {});

} // namespace attention
