#include "core/views/mask/mask_figure.h"

#include "core/plot/mask_color.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

Axis axisOf(const std::string& label, Index begin, Index end,
            const std::vector<std::string>& names) {
  Axis axis{label, begin, end, {}};
  if (static_cast<Index>(names.size()) >= end)
    axis.names.assign(names.begin() + begin, names.begin() + end);
  return axis;
}

} // namespace

Plot maskPlot(const MaskPanelSpec& spec) {
  const Rect cells = spec.cells.empty() ? spec.pattern->bounds() : spec.cells;
  const bool sameTokens = spec.pattern->lengths().square();
  Plot plot;
  plot.mark = MaskMark{spec.pattern, cells, spec.query, spec.key, spec.tiles};
  plot.ownQueries = !spec.ownQueries.empty();
  const std::vector<std::string> none;
  const auto& queryNames = sameTokens ? spec.names : none;
  plot.keys = axisOf("key j", cells.keyBegin, cells.keyEnd,
                     spec.ownKeys.empty() ? spec.names : spec.ownKeys);
  plot.queries = axisOf("query i", cells.rowBegin, cells.rowEnd,
                        spec.ownQueries.empty() ? queryNames : spec.ownQueries);
  return plot;
}

std::vector<LegendEntry> maskLegend(const Prepared& pattern, FigureTheme theme) {
  const MaskPalette palette = maskPalette(pattern, theme);
  const auto parts = pattern.parts();
  if (palette.hues.size() != parts.size())
    return {{palette.hues.front(), countText(parts.size(), "part")}};
  std::vector<LegendEntry> entries;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    LegendEntry entry{palette.hues[k], parts[k].label.empty() ? parts[k].name : parts[k].label};
    if (std::find(entries.begin(), entries.end(), entry) == entries.end())
      entries.push_back(std::move(entry));
  }
  return entries;
}

Index middleToken(const std::pair<Index, Index>& shape) {
  return shape.first / 2 * shape.second + shape.second / 2;
}

std::vector<LegendEntry> tileLegend(FigureTheme theme) {
  return {{tileLook(true, theme).edge, "full tile"}, {tileLook(false, theme).edge, "partial tile"}};
}

bool namedBy(const Prepared& pattern, const std::string& title) {
  const auto parts = pattern.parts();
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Part& part) { return part.label == title; });
}

void shareLegends(Figure& figure) {
  if (figure.panels.empty())
    return;
  const std::vector<LegendEntry> first = figure.panels.front().legend;
  const bool same = std::all_of(figure.panels.begin(), figure.panels.end(),
                                [&](const FigurePanel& panel) { return panel.legend == first; });
  if (!same)
    return;
  figure.legend.insert(figure.legend.begin(), first.begin(), first.end());
  for (FigurePanel& panel : figure.panels)
    panel.legend.clear();
}

Figure maskFigure(const std::vector<MaskPanelSpec>& panels, FigureTheme theme) {
  Figure figure;
  figure.theme = theme;
  for (const MaskPanelSpec& spec : panels)
    figure.panels.push_back({spec.title, {maskPlot(spec)}, maskLegend(*spec.pattern, theme)});
  shareLegends(figure);
  return figure;
}

} // namespace attention
