// The numbers behind the picture of a Scene as a file, by the ending of its name: what lies beside
// figureOfScene for those who draw or count themselves.
#pragma once

#include "core/figure/scene_figure.h"

#include <filesystem>
#include <span>
#include <string_view>

namespace attention {

// A form in which a view's numbers are written.
struct DataForm {
  std::string_view ending;
  std::string_view holds; // "the matrix of hops as int32, n × n; −1 for never"
};
std::span<const DataForm> dataForms(View view);

// Replaces `path` only by a complete file. E_UNSUPPORTED: an ending that the Scene's view does not
// have; E_RANGE, E_IO; and what figureOfScene throws.
void writeSceneData(const Scene& scene, const SceneFigureOptions& options,
                    const std::filesystem::path& path, const Run& run = {});

// The same as text for a clipboard, as .csv would hold it. E_RANGE above 10^6 lines.
std::string sceneDataText(const Scene& scene, const SceneFigureOptions& options,
                          const Run& run = {});

} // namespace attention
