#include "core/plot/figure_theme.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

Color counterpart(const Color& color, const FigureColors& from, const FigureColors& to) {
  const std::pair<Color, Color> plain[] = {{from.ground, to.ground}, {from.text, to.text},
                                           {from.dim, to.dim},       {from.line, to.line},
                                           {from.frame, to.frame},   {from.empty, to.empty},
                                           {from.query, to.query},   {from.weight, to.weight}};
  for (const auto& [own, other] : plain)
    if (own == color)
      return other;
  const auto hue = std::find(from.series.begin(), from.series.end(), color);
  return hue == from.series.end() ? color
                                  : to.series[static_cast<std::size_t>(hue - from.series.begin())];
}

void turn(std::vector<LegendEntry>& legend, const FigureColors& from, const FigureColors& to) {
  for (LegendEntry& entry : legend)
    entry.color = counterpart(entry.color, from, to);
}

} // namespace

Figure inTheme(Figure figure, FigureTheme theme) {
  if (figure.theme == theme)
    return figure;
  const FigureColors& from = figureColors(figure.theme);
  const FigureColors& to = figureColors(theme);
  turn(figure.legend, from, to);
  for (FigurePanel& panel : figure.panels)
    turn(panel.legend, from, to);
  figure.theme = theme;
  if (figure.fallback)
    figure.fallback = std::make_shared<const Figure>(inTheme(*figure.fallback, theme));
  return figure;
}

} // namespace attention
