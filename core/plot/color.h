// Colours of figures, on the screen and in files: Okabe–Ito hues by part (A¹ blue, A² orange
// everywhere), darkened on a light background; words in a hue just dark or pale enough to be
// readable.
#pragma once

#include <array>
#include <cstdint>

namespace attention {

// Red, green, blue and opacity, each 0 … 255, not premultiplied (sRGB).
struct Color {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  std::uint8_t a = 255;
  bool operator==(const Color&) const = default;
};

// 0xRRGGBB, opaque.
constexpr Color colorOf(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex), 255};
}

// The nearest byte to a value in [0, 255.5); inline, like mix, since pictures have millions of
// them.
constexpr std::uint8_t roundedByte(double value) {
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): a call of lround takes longer than the mixing.
  return static_cast<std::uint8_t>(value + 0.5);
}

// From `from` (share 0) to `to` (share 1), each channel rounded to the nearest.
constexpr Color mix(const Color& from, const Color& to, double share) {
  const auto channel = [share](int a, int b) { return roundedByte(a + (b - a) * share); };
  return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b),
          channel(from.a, to.a)};
}

// Contrast of two opaque colours as in WCAG 2.1: 1 … 21.
double contrast(const Color& first, const Color& second);

constexpr double kReadable = 7; // contrast of words with their background

// A hue for words on `ground`: mixed towards black or white, whichever is further from the
// background, just until the contrast is `least`; that end itself where no mixture suffices.
// Unchanged where it already has that contrast.
Color readable(const Color& hue, const Color& ground, double least = kReadable);

enum class FigureTheme { Light, Dark };

// Contrast of words with the strongest shade that stands for a value: less on a dark ground, where
// seven to one would leave shades that hardly differ.
constexpr double leastOnShade(FigureTheme theme) {
  return theme == FigureTheme::Light ? kReadable : 4.5;
}

struct FigureColors {
  Color ground;                // behind everything
  Color text;                  // titles
  Color dim;                   // axes, captions
  Color line;                  // grids
  Color frame;                 // frames and ticks
  Color empty;                 // pixels of an image that are not attended to
  Color query;                 // the query's pixel, pins
  Color weight;                // the largest attention weight
  std::array<Color, 8> series; // hues by part and by pattern
};

const FigureColors& figureColors(FigureTheme theme);

// A value from 0 to 1 as a shade of a hue below words: evenly from the ground to the strongest
// shade on which the text of the theme has a contrast of leastOnShade. Larger values differ more
// from the ground.
Color shade(const Color& hue, double share, FigureTheme theme);

} // namespace attention
