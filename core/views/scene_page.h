// A Scene as a page of HTML: what its view plays, or a sweep, becomes frames.
#pragma once

#include "core/export/html_page.h"
#include "core/views/animation.h"
#include "core/views/scene_figure.h"

#include <optional>

namespace attention {

// The frames of `sweep`; without one, what the view plays by itself in pages, else the figure
// alone. Throws as framesOf and figureOfScene do.
PageFigure pageOfScene(const Scene& scene, const SceneFigureOptions& options,
                       const std::optional<Sweep>& sweep, const Run& run = {});

} // namespace attention
