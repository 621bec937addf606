#include "core/scene/shown_masks.h"

#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/scene/shown_patterns.h"

#include <algorithm>

namespace attention {

ShownMasks shownMasks(const Scene& scene, const Lengths& lengths, const Input* input,
                      const Run& run) {
  std::vector<Panel> panels = shownPatterns(scene, lengths);
  ShownMasks shown;
  const bool reads = std::any_of(panels.begin(), panels.end(),
                                 [](const Panel& panel) { return needsData(panel.pattern); });
  if (reads && input)
    shown.data = inputData(*input, scene.input.batch, scene.input.head, lengths.keys, run);
  for (Panel& panel : panels) {
    auto prepared = prepare(resolveFiles(panel.pattern, {}, run), lengths, shown.data, run);
    if (!panel.parts.empty())
      prepared = prepared->withLooks(panel.parts);
    shown.masks.push_back({std::move(panel.title), std::move(panel.pattern), std::move(prepared),
                           std::move(panel.queries), std::move(panel.keys)});
  }
  return shown;
}

} // namespace attention
