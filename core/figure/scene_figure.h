// The figure of a Scene: the one path for published figures, the command line and the window's
// export.
#pragma once

#include "core/analysis/timing/timings.h"
#include "core/figure/figure.h"
#include "core/input/input.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <memory>

namespace attention {

struct KernelsAnswer;
struct ReachAnswer;

struct SceneFigureOptions {
  std::shared_ptr<const Input> input; // of the Scene, loaded; null where it has none
  FigureTheme theme = FigureTheme::Light;
  int threads = 0;
  // Of the Timings view, where they are measured already; else a figure measures them itself.
  std::shared_ptr<const Timings> timings;
  // Of the Kernels and Reach views, where they are computed already for this Scene and input.
  std::shared_ptr<const KernelsAnswer> kernels = {};
  std::shared_ptr<const ReachAnswer> reach = {};
};

// Panels, heads or the pattern alone; above each, in image mode, the picture of the pinned query
// (else of the middle of the image) and what it attends to; attention weights instead of cells
// where the Scene shows them and the input has queries and keys for these lengths; the part that
// the camera shows. Prepares the patterns; throws as prepare, lengthsOf, imageShape, shownPatterns
// and resolveFiles do.
Figure figureOfScene(const Scene& scene, const SceneFigureOptions& options = {},
                     const Run& run = {});

// The cells that a square view with this camera shows, cut to the mask; all without a camera.
Rect cellsOf(const std::optional<Camera>& camera, const Lengths& lengths);

} // namespace attention
