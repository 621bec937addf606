#include "core/plot/arrange.h"

#include "core/plot/plot_margins.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

// The name of the y axis of curves; null for other plots.
const std::string* nameUp(const Plot& plot) {
  const auto* curves = std::get_if<CurvesMark>(&plot.mark);
  return curves && !curves->y.label.empty() ? &curves->y.label : nullptr;
}

} // namespace

std::optional<Figure> namedAbove(const Figure& figure, const Arrangement& places,
                                 const TextMeasure& measure) {
  const auto untitled = [&](const FigurePanel& panel) {
    return panel.title.empty() && panel.plots.size() == 1 && nameUp(panel.plots.front());
  };
  bool cut = false;
  for (std::size_t k = 0; k < figure.panels.size(); ++k)
    if (untitled(figure.panels[k])) {
      const double room = nameRoomUp(places.panels[k].plots.front().height, places.type);
      cut = cut || measure(*nameUp(figure.panels[k].plots.front()), places.type, false) > room;
    }
  if (!cut)
    return std::nullopt;
  Figure named = figure;
  for (FigurePanel& panel : named.panels)
    if (untitled(panel))
      panel.title = std::exchange(std::get<CurvesMark>(panel.plots.front().mark).y.label, {});
  return named;
}

std::optional<Figure> legendShared(const Figure& figure, const Arrangement& places) {
  bool broken = false;
  for (const PanelBoxes& panel : places.panels)
    for (const Lines& entry : panel.words.legend)
      broken = broken || entry.size() != 1;
  if (!broken)
    return std::nullopt;
  Figure shared = figure;
  std::vector<LegendEntry>& all = shared.legend;
  for (FigurePanel& panel : shared.panels)
    for (LegendEntry& entry : std::exchange(panel.legend, {})) {
      const auto same = std::find_if(
          all.begin(), all.end(), [&](const LegendEntry& of) { return of.color == entry.color; });
      if (same == all.end())
        all.push_back(std::move(entry));
      else if (same->label != entry.label)
        return std::nullopt;
    }
  return shared;
}

} // namespace attention
