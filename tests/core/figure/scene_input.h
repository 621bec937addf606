// The input of a Scene as the program loads it, for tests that draw or count what a Scene shows.
#pragma once

#include "core/input/assets.h"
#include "core/views/scene_figure.h"

#include <memory>

// Null if the Scene has none.
inline std::shared_ptr<const attention::Input> loadedInput(const attention::Scene& scene) {
  return attention::loadInput(scene.input, attention::samplePath);
}

inline attention::SceneFigureOptions optionsWithInput(const attention::Scene& scene) {
  attention::SceneFigureOptions options;
  options.input = loadedInput(scene);
  return options;
}
