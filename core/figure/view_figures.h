// The figure of each view: its picture, and what the window shows beside it that is worth a panel.
// In a published figure, and where a file is too small, the picture stands alone.
#pragma once

#include "core/figure/scene_figure.h"

namespace attention {

// As figureOfScene.
Figure reachViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);
Figure attentionViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);
Figure kernelsViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);
Figure hashingViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);
Figure timingsViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);
Figure encodingsViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);
Figure compareViewFigure(const Scene& scene, const SceneFigureOptions& options, const Run& run);

} // namespace attention
