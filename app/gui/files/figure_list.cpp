#include "app/gui/files/figure_list.h"

#include "core/scene/figures.h"
#include "core/scene/scene_json.h"

#include <algorithm>
#include <tuple>

namespace attention::gui {

std::vector<ShownFigure> readFigures(const std::filesystem::path& assets) {
  std::vector<ShownFigure> figures;
  for (const ShippedFigure& shipped : listFigures(assets)) {
    ShownFigure figure{shipped.name, shipped.title, {}, readScene(shipped.path).scene};
    if (figure.title.empty())
      figure.title = shipped.name;
    // "Child and others 2019, “Generating …": the paper is what stands before its title.
    figure.paper = figure.scene.source.substr(0, figure.scene.source.find(", “"));
    figures.push_back(std::move(figure));
  }
  std::sort(figures.begin(), figures.end(), [](const ShownFigure& a, const ShownFigure& b) {
    return std::tie(a.paper, a.name) < std::tie(b.paper, b.name);
  });
  return figures;
}

} // namespace attention::gui
