#include "core/plot/color.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

double luminance(const Color& color) {
  const auto linear = [](std::uint8_t byte) {
    const double share = byte / 255.0;
    return share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

constexpr FigureColors kLight{colorOf(0xffffff),
                              colorOf(0x14161b),
                              colorOf(0x40475a),
                              colorOf(0xdfe4ea),
                              colorOf(0x858d9a),
                              colorOf(0xeceff3),
                              colorOf(0x14161b),
                              colorOf(0x1a0f2e),
                              {colorOf(0x0072b2), colorOf(0xb85c00), colorOf(0x00795a),
                               colorOf(0x8a7a00), colorOf(0xa83208), colorOf(0x9c4478),
                               colorOf(0x4a5bc4), colorOf(0x767676)}};

constexpr FigureColors kDark{colorOf(0x14161b),
                             colorOf(0xeceef2),
                             colorOf(0xb9c0cc),
                             colorOf(0x2c323d),
                             colorOf(0x7d8594),
                             colorOf(0x242934),
                             colorOf(0xffffff),
                             colorOf(0xfff4c2),
                             {colorOf(0x56b4e9), colorOf(0xe69f00), colorOf(0x2bb48a),
                              colorOf(0xf0e442), colorOf(0xe8743b), colorOf(0xcc79a7),
                              colorOf(0x7b9be8), colorOf(0xb0b0b0)}};

} // namespace

double contrast(const Color& first, const Color& second) {
  const double a = luminance(first);
  const double b = luminance(second);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

Color readable(const Color& hue, const Color& ground, double least) {
  if (contrast(hue, ground) >= least)
    return hue;
  constexpr Color kBlack = colorOf(0x000000);
  constexpr Color kWhite = colorOf(0xffffff);
  const Color end = contrast(kBlack, ground) > contrast(kWhite, ground) ? kBlack : kWhite;
  constexpr int kSteps = 255;
  for (int step = 1; step < kSteps; ++step)
    if (const Color mixed = mix(hue, end, static_cast<double>(step) / kSteps);
        contrast(mixed, ground) >= least)
      return mixed;
  return end;
}

const FigureColors& figureColors(FigureTheme theme) {
  return theme == FigureTheme::Light ? kLight : kDark;
}

Color shade(const Color& hue, double share, FigureTheme theme) {
  const FigureColors& colors = figureColors(theme);
  return mix(colors.ground, readable(hue, colors.text, leastOnShade(theme)),
             std::clamp(share, 0.0, 1.0));
}

} // namespace attention
