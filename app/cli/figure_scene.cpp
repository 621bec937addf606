#include "app/cli/figure_scene.h"

#include "core/input/assets.h"
#include "core/scene/figures.h"
#include "core/scene/scene_json.h"
#include "core/support/text.h"

#include <ostream>

namespace attention::cli {

Scene sceneOf(const std::string& name, std::ostream& err) {
  if (endingOf(name) != ".json")
    return findFigure(assetFolder(), name);
  ReadScene read = readScene(name);
  for (const std::string& warning : read.warnings)
    err << "attnx: " << name << ": " << warning << '\n';
  return std::move(read.scene);
}

} // namespace attention::cli
