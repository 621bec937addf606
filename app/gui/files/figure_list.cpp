#include "app/gui/files/figure_list.h"

#include "core/scene/figures.h"
#include "core/scene/scene_json.h"

namespace attention::gui {

std::vector<ShownFigure> readFigures(const std::filesystem::path& assets) {
  std::vector<ShownFigure> figures;
  for (const ShippedFigure& shipped : listFigures(assets)) {
    ShownFigure figure{shipped.name, shipped.title, shipped.paper, readScene(shipped.path).scene};
    if (figure.title.empty())
      figure.title = shipped.name;
    figures.push_back(std::move(figure));
  }
  return figures;
}

} // namespace attention::gui
