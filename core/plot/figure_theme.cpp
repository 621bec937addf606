#include "core/plot/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace attention {
namespace {

// How much of a hue is in a shade that lies between it and the ground; nothing for other colours.
std::optional<double> shareIn(const Color& shade, const Color& ground, const Color& hue) {
  const std::array spans{hue.r - ground.r, hue.g - ground.g, hue.b - ground.b};
  const std::array own{shade.r - ground.r, shade.g - ground.g, shade.b - ground.b};
  const auto widest = static_cast<std::size_t>(
      std::max_element(spans.begin(), spans.end(),
                       [](int a, int b) { return std::abs(a) < std::abs(b); }) -
      spans.begin());
  const double share = static_cast<double>(own[widest]) / spans[widest];
  if (!(share > 0 && share < 1))
    return std::nullopt;
  for (std::size_t k = 0; k < spans.size(); ++k)
    if (std::abs(own[k] - share * spans[k]) > 1.5) // both were rounded
      return std::nullopt;
  return share;
}

Color counterpart(const Color& color, const FigureColors& from, const FigureColors& to) {
  const std::pair<Color, Color> plain[] = {{from.ground, to.ground}, {from.text, to.text},
                                           {from.dim, to.dim},       {from.line, to.line},
                                           {from.frame, to.frame},   {from.empty, to.empty},
                                           {from.query, to.query},   {from.weight, to.weight}};
  for (const auto& [own, other] : plain)
    if (own == color)
      return other;
  const auto hue = std::find(from.series.begin(), from.series.end(), color);
  if (hue != from.series.end())
    return to.series[static_cast<std::size_t>(hue - from.series.begin())];
  for (std::size_t k = 0; k < from.series.size(); ++k)
    if (const auto share = shareIn(color, from.ground, from.series[k]))
      return mix(to.ground, to.series[k], *share);
  if (const auto share = shareIn(color, from.ground, from.dim))
    return mix(to.ground, to.dim, *share);
  if (const auto share = shareIn(color, from.series[0], from.weight)) // the upper half of a ramp
    return mix(to.series[0], to.weight, *share);
  return color;
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
