#include "core/views/scene_figure.h"

#include "core/export/figure_file.h"
#include "core/scene/input_data.h"
#include "core/support/text.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <cmath>

namespace attention {

Rect cellsOf(const std::optional<Camera>& camera, const Lengths& lengths) {
  const Rect all{0, lengths.queries, 0, lengths.keys};
  if (!camera)
    return all;
  const double half = camera->cells / 2;
  // Anywhere beyond the largest mask on either side is equivalent, and it fits an Index.
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

Lengths lengthsIn(const Scene& scene, const SceneFigureOptions& options) {
  return currentLengths(scene.length, options.input.get());
}

ModelHead headIn(const Scene& scene, const SceneFigureOptions& options) {
  return modelHead(scene, options.input);
}

Run threaded(Run run, const SceneFigureOptions& options) {
  run.threads = options.threads;
  return run;
}

Figure figureOfScene(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return unitOf(scene.view).figure(scene, options, run);
}

void writeSceneData(const Scene& scene, const SceneFigureOptions& options,
                    const std::filesystem::path& path, const Run& run) {
  std::string endings;
  for (const DataForm& form : unitOf(scene.view).forms) {
    if (form.ending == endingOf(path))
      return form.write(scene, options, path, run);
    endings += (endings.empty() ? "" : ", ") + std::string(form.ending);
  }
  throwEnding(path, endings);
}

std::string sceneDataText(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return unitOf(scene.view).text(scene, options, run);
}

} // namespace attention
