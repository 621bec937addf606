#include "core/figure/scene_figure.h"

#include "core/figure/masks_figure.h"
#include "core/figure/view_figures.h"

#include <algorithm>
#include <cmath>

namespace attention {

Rect cellsOf(const std::optional<Camera>& camera, const Lengths& lengths) {
  const Rect all{0, lengths.queries, 0, lengths.keys};
  if (!camera)
    return all;
  const double half = camera->cells / 2;
  // Beyond the largest mask on either side is as good as anywhere: it fits an Index.
  const auto index = [](double edge) {
    constexpr auto kFar = static_cast<double>(2 * kMaxLength);
    return static_cast<Index>(std::clamp(edge, -kFar, kFar));
  };
  const auto low = [&](double centre) { return index(std::floor(centre - half)); };
  const auto high = [&](double centre) { return index(std::ceil(centre + half)); };
  const Rect seen{low(camera->query), high(camera->query), low(camera->key), high(camera->key)};
  const Rect cut = intersection(seen, all);
  return cut.empty() ? all : cut;
}

Figure figureOfScene(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  switch (scene.view) {
  case View::Reach:
    return reachViewFigure(scene, options, run);
  case View::Attention:
    return attentionViewFigure(scene, options, run);
  case View::Kernels:
    return kernelsViewFigure(scene, options, run);
  case View::Hashing:
    return hashingViewFigure(scene, options, run);
  case View::Timings:
    return timingsViewFigure(scene, options, run);
  case View::Encodings:
    return encodingsViewFigure(scene, options, run);
  case View::Compare:
    return compareViewFigure(scene, options, run);
  case View::Mask:
    break;
  }
  return masksFigure(scene, options, run);
}

} // namespace attention
