#include "app/cli/figure_scene.h"

#include "core/figure/embedded_scene.h"
#include "core/input/assets.h"
#include "core/scene/figures.h"
#include "core/scene/scene_json.h"
#include "core/support/text.h"

#include <ostream>

namespace attention::cli {

Scene sceneOf(const std::string& name, std::ostream& err) {
  if (mayCarryScene(name))
    return sceneOfPicture(name);
  const bool written = name.substr(0, 1) == "{";
  if (!written && endingOf(name) != ".json")
    return findFigure(assetFolder(), name);
  ReadScene read = written ? sceneFromText(name, "the scene") : readScene(name);
  for (const std::string& warning : read.warnings)
    err << "attnx: " << (written ? "the scene" : name) << ": " << warning << '\n';
  return std::move(read.scene);
}

} // namespace attention::cli
