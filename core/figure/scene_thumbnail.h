// A small picture of the figure of a Scene, for lists of figures. What takes seconds of every core
// at its size is measured on less: fewer tokens, fewer repeats. Of times it shows what the cost
// model tells alone.
#pragma once

#include "core/figure/scene_figure.h"

namespace attention {

// The Scene as its thumbnail measures it.
Scene quickScene(Scene scene);

// `size` in units, `scale` pixels per unit. Errors as figureOfScene; E_RANGE where `size` has no
// room.
Image thumbnailOfScene(const Scene& scene, const SceneFigureOptions& options, const Size& size,
                       double scale, const Run& run = {});

} // namespace attention
