#include "core/plot/mask_color.h"

#include "core/pattern/coverage.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Σ counts · hue / Σ counts, channel by channel.
Color mixedHue(std::span<const Index> counts, double total, const MaskPalette& palette) {
  double r = 0;
  double g = 0;
  double b = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto weight = static_cast<double>(counts[k]) / total;
    r += weight * palette.hues[k].r;
    g += weight * palette.hues[k].g;
    b += weight * palette.hues[k].b;
  }
  return {roundedByte(r), roundedByte(g), roundedByte(b), 255};
}

} // namespace

std::size_t hueIndex(std::span<const Part> parts, std::size_t part) {
  const std::size_t hues = figureColors(FigureTheme::Light).series.size();
  if (parts[part].hue)
    return static_cast<std::size_t>(floorMod(*parts[part].hue, static_cast<Index>(hues)));
  if (parts[part].name == "A¹")
    return 0;
  if (parts[part].name == "A²")
    return 1;
  return part % hues;
}

MaskPalette maskPalette(const Prepared& pattern, FigureTheme theme) {
  const FigureColors& colors = figureColors(theme);
  MaskPalette palette{colors.ground, {}};
  const std::size_t parts = pattern.parts().size();
  if (parts > kMostPartsShown || parts == 0) {
    palette.hues.push_back(colors.series[parts == 0 ? 0 : hueIndex(pattern.parts(), 0)]);
    return palette;
  }
  for (std::size_t k = 0; k < parts; ++k)
    palette.hues.push_back(colors.series[hueIndex(pattern.parts(), k)]);
  return palette;
}

Color pixelColor(std::span<const Index> counts, Index cells, const MaskPalette& palette) {
  Index total = 0;
  std::size_t only = counts.size();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    total += counts[k];
    if (counts[k] == 0)
      continue;
    only = only == counts.size() ? k : counts.size() + 1;
  }
  if (total <= 0)
    return palette.ground;
  const Color hue = only < counts.size() ? palette.hues[only]
                                         : mixedHue(counts, static_cast<double>(total), palette);
  const double share = static_cast<double>(total) / static_cast<double>(cells);
  return mix(palette.ground, hue, drawnShare(share, leastShareOn(palette.ground)));
}

TileLook tileLook(bool full, FigureTheme theme) {
  constexpr std::size_t kPartialHue = 4; // of the series: vermilion
  constexpr std::uint8_t kFullVeil = 44;
  constexpr std::uint8_t kPartialVeil = 76;
  const FigureColors& colors = figureColors(theme);
  const Color edge = full ? colors.text : colors.series[kPartialHue];
  Color fill = edge;
  fill.a = full ? kFullVeil : kPartialVeil;
  return {fill, edge};
}

double leastShareOn(const Color& ground) {
  constexpr double kOnLight = 0.28;
  constexpr double kOnDark = 0.23;
  constexpr int kMiddle = 128;
  return ground.g >= kMiddle ? kOnLight : kOnDark;
}

double drawnShare(double coverage, double least) {
  return std::min(coverage < 2 * least ? least + coverage / 2 : coverage, 1.0);
}

namespace {

// The square root of a share, lifted to `least` near zero while keeping different shares different.
double liftedRoot(double share, double least) {
  const double root = std::sqrt(share);
  return std::min(root < 2 * least ? least + root / 2 : root, 1.0);
}

// Of a hue, by theme: what stands out from the ground at 1.5 : 1.
struct LeastSteps {
  double light;
  double dark;
  double in(FigureTheme theme) const { return theme == FigureTheme::Light ? light : dark; }
};
constexpr LeastSteps kLeastWeight{0.29, 0.225};
constexpr LeastSteps kLeastNegative{0.255, 0.285};

} // namespace

namespace {

constexpr double kMiddle = 0.6; // of the ramp of weights: where the first hue is

// From the ground at 0 through the first hue to the end at 1.
Color throughHue(double at, FigureTheme theme) {
  const FigureColors& colors = figureColors(theme);
  if (at < kMiddle)
    return mix(colors.ground, colors.series[0], at / kMiddle);
  return mix(colors.series[0], colors.weight, (at - kMiddle) / (1 - kMiddle));
}

// The root of a share, from 0 at kFaintShare to 1.
double fadedRoot(double share) {
  const double faint = std::sqrt(kFaintShare);
  return std::clamp((std::sqrt(share) - faint) / (1 - faint), 0.0, 1.0);
}

} // namespace

Color weightColor(double share, FigureTheme theme) {
  if (share <= 0)
    return figureColors(theme).ground;
  return throughHue(liftedRoot(share, kLeastWeight.in(theme)*kMiddle), theme);
}

Color hopColor(double hops, double most, FigureTheme theme) {
  constexpr double kLeast = 0.3; // of the hue: 1.5 : 1 or more against the ground
  constexpr std::size_t kLostHue = 1;
  const FigureColors& colors = figureColors(theme);
  if (hops < -1)
    return colors.series[kLostHue];
  if (hops < 0)
    return colors.ground;
  const double far = most > 0 ? std::min(hops / most, 1.0) : 0.0;
  return mix(colors.ground, colors.series[0], 1 - (1 - kLeast) * far);
}

namespace {

constexpr double kLeastShare = 1.0 / 8; // of a hue for nonzero values
constexpr std::size_t kNegativeHue = 4; // of the series: vermilion
constexpr std::size_t kErrorHue = 5;    // reddish purple
constexpr std::size_t kBelowHue = 0;    // blue
constexpr std::size_t kAboveHue = 1;    // orange

// From the ground at 0 to a hue at 1.
Color towards(std::size_t hue, double share, FigureTheme theme) {
  const FigureColors& colors = figureColors(theme);
  return mix(colors.ground, colors.series[hue], std::clamp(share, 0.0, 1.0));
}

// Like towards, but by the square root and never so close to the background that something looks
// like nothing.
Color rootTowards(std::size_t hue, double share, FigureTheme theme) {
  return towards(hue, share > 0 ? std::max(std::sqrt(share), kLeastShare) : 0, theme);
}

constexpr double kMostStrength = 0.999; // below the next whole number
constexpr double kLeastTaken = 0.45;    // of a hue, where it was chosen in spite of its rank
constexpr double kLeastRanked = 0.12;   // of grey
constexpr double kMostRanked = 0.6;

Color choiceColor(double value, FigureTheme theme) {
  const FigureColors& colors = figureColors(theme);
  if (!(value >= 1))
    return colors.ground;
  const auto code = static_cast<std::size_t>(value);
  const double strength = (value - static_cast<double>(code)) / kMostStrength;
  if (code == 1)
    return mix(colors.ground, colors.dim, kLeastRanked + (kMostRanked - kLeastRanked) * strength);
  return mix(colors.ground, colors.series[(code - 2) % colors.series.size()],
             kLeastTaken + (1 - kLeastTaken) * strength);
}

// Of group `value` − 1.
Color groupColor(double value, FigureTheme theme) {
  if (!(value >= 1))
    return figureColors(theme).ground;
  const auto group = static_cast<std::size_t>(value) - 1;
  return mix(figureColors(theme).ground, figureColors(theme).series[group % kGroupHues],
             groupShare(group));
}

} // namespace

double groupShare(std::size_t group) {
  constexpr double kPale = 0.5;
  return group / kGroupHues % 2 == 0 ? 1 : kPale;
}

float choiceValue(std::optional<std::size_t> hue, double strength) {
  return static_cast<float>(static_cast<double>(hue ? *hue + 2 : 1) +
                            kMostStrength * std::clamp(strength, 0.0, 1.0));
}

Color rampColor(Ramp ramp, double value, double top, FigureTheme theme) {
  if (ramp == Ramp::Hops)
    return hopColor(value, top, theme);
  if (ramp == Ramp::Hues)
    return groupColor(value, theme);
  if (ramp == Ramp::Choice)
    return choiceColor(value, theme);
  const double share = std::isnan(value) || !(top > 0) ? 0 : value / top;
  switch (ramp) {
  case Ramp::Signed:
    return share < 0 ? towards(kNegativeHue, liftedRoot(-share, kLeastNegative.in(theme)), theme)
                     : weightColor(share, theme);
  case Ramp::Errors:
    return rootTowards(kErrorHue, share, theme);
  case Ramp::Diverging:
    return towards(share < 0 ? kBelowHue : kAboveHue, std::abs(share), theme);
  case Ramp::Differences:
    return rootTowards(share < 0 ? kBelowHue : kAboveHue, std::abs(share), theme);
  case Ramp::Changes:
    return towards(share < 0 ? kBelowHue : kAboveHue, fadedRoot(std::abs(share)), theme);
  case Ramp::Attention:
    return throughHue(share > 0 ? fadedRoot(share) : 0, theme);
  default:
    return weightColor(share, theme);
  }
}

} // namespace attention
