// The published figures that ship with the program: one Scene per file in the folder of assets,
// named after its file: child-2019-fig3.json is child-2019-fig3.
#pragma once

#include "core/scene/scene.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct ShippedFigure {
  std::string name;  // without spaces
  std::string tab;   // the view's name on the command line: "mask"
  std::string title; // of its Scene
  std::string paper; // of its Scene: they are grouped by it
  std::filesystem::path path;
};

// All figures in `assets`/figures, by paper and name. E_IO where the folder is missing; a Scene
// that cannot be read throws as readScene does.
std::vector<ShippedFigure> listFigures(const std::filesystem::path& assets);

// The Scene of the figure of that name. E_UNKNOWN suggests the nearest name, of `lessons` too where
// these may be meant.
Scene findFigure(const std::filesystem::path& assets, std::string_view name,
                 std::span<const std::string> lessons = {});

} // namespace attention
