// Pages of HTML: a Scene, of which what its view plays, or a sweep, becomes frames; and a lesson.
#pragma once

#include "core/export/html_page.h"
#include "core/scene/lessons.h"
#include "core/views/animation.h"
#include "core/views/scene_figure.h"

#include <optional>

namespace attention {

// The frames of `sweep`; without one, what the view plays by itself in pages, else the figure
// alone. Throws as framesOf and figureOfScene do.
PageFigure pageOfScene(const Scene& scene, const SceneFigureOptions& options,
                       const std::optional<Sweep>& sweep, const Run& run = {});

// The steps one by one, each with the figure of its Scene. Loads the inputs of the steps. Throws as
// loadInput and pageOfScene do.
PageLesson pageOfLesson(const Lesson& lesson, int threads = 0, const Run& run = {});

} // namespace attention
