#include "core/views/scene_page.h"

#include "core/support/number_text.h"
#include "core/views/view_unit.h"

#include <algorithm>

namespace attention {
namespace {

// What a page of this Scene plays unasked.
std::optional<Sweep> ownSweep(const Scene& scene, Index n) {
  const ViewUnit& unit = unitOf(scene.view);
  if (!unit.moving)
    return std::nullopt;
  const std::vector<Moving> moving = unit.moving(scene, n);
  const auto played = std::find_if(moving.begin(), moving.end(),
                                   [](const Moving& of) { return of.plays && of.from < of.to; });
  return played == moving.end() ? std::nullopt : std::optional(Sweep{played->name});
}

} // namespace

PageFigure pageOfScene(const Scene& scene, const SceneFigureOptions& options,
                       const std::optional<Sweep>& sweep, const Run& run) {
  const Index n = sweptLength(scene, lengthsIn(scene, options).keys);
  const std::optional<Sweep> played = sweep ? sweep : ownSweep(scene, n);
  if (!played)
    return {{{figureOfScene(scene, options, run), {}}}, scene};
  const Frames frames = framesOf(scene, *played, n);
  PageFigure page{{}, scene};
  for (std::size_t k = 0; k < frames.scenes.size(); ++k) {
    run.report(static_cast<double>(k) / static_cast<double>(frames.scenes.size()));
    page.frames.push_back({figureOfScene(frames.scenes[k], options, run.quiet()),
                           frames.of + " = " + readableNumber(frames.values[k], 4)});
  }
  if (!sweep) // its end is what the figure shows; ▶ begins at the start from there
    page.shown = page.frames.size() - 1;
  return page;
}

} // namespace attention
