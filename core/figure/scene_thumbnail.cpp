#include "core/figure/scene_thumbnail.h"

#include "core/figure/thumbnail.h"

#include <algorithm>
#include <memory>

namespace attention {
namespace {

constexpr Index kQuickLength = 256;
constexpr Index kQuickRepeats = 3;
} // namespace

Scene quickScene(Scene scene) {
  if (scene.view == View::Kernels && scene.kernels.picture == KernelsPicture::Error) {
    scene.kernels.length = std::min(scene.kernels.length, kQuickLength);
    scene.kernels.repeats = std::min(scene.kernels.repeats, kQuickRepeats);
  }
  return scene;
}

Image thumbnailOfScene(const Scene& scene, const SceneFigureOptions& options, const Size& size,
                       double scale, const Run& run) {
  SceneFigureOptions how = options;
  if (scene.view == View::Timings)
    how.timings = std::make_shared<const Timings>();
  Figure figure = figureOfScene(quickScene(scene), how, run);
  if (scene.view == View::Timings) // memory, the last: without measuring
    figure.panels.erase(figure.panels.begin(), figure.panels.end() - 1);
  return thumbnailOf(figure, size, scale, run);
}

} // namespace attention
