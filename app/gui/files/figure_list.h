// The published figures that come with the program: Scenes in assets/figures.
#pragma once

#include "core/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention::gui {

struct ShownFigure {
  std::string name;  // of its file, without the ending
  std::string title; // "Strided and fixed attention"
  std::string paper; // "Child et al. 2019": they are grouped by it
  Scene scene;
};

// Sorted by paper and name. E_IO where the folder is missing; throws for a file that is not a
// scene.
std::vector<ShownFigure> readFigures(const std::filesystem::path& assets);

} // namespace attention::gui
