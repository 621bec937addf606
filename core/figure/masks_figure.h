// The masks of a Scene as a figure: for the Mask view and, beside its score board, for Compare.
#pragma once

#include "core/figure/scene_figure.h"

namespace attention {

// As figureOfScene.
Figure masksFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);

} // namespace attention
