// The colour of a pixel of a mask from its exact coverage: the hues of the parts mixed by their
// counts, over the background by the attended share of the pixel's cells. One function for files
// and for the window.
#pragma once

#include "core/pattern/prepared.h"
#include "core/plot/color.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

// The background, and the hue of each plane of a Coverage: one per part, or a single ramp for
// patterns of more than kMostPartsShown parts.
struct MaskPalette {
  Color ground;
  std::vector<Color> hues;
  bool operator==(const MaskPalette&) const = default;
};

// The index into FigureColors::series of a part: A¹ and A² keep theirs also where the other is
// absent; other parts go by their place.
std::size_t hueIndex(std::span<const Part> parts, std::size_t part);

MaskPalette maskPalette(const Prepared& pattern, FigureTheme theme);

// `counts`: attended pairs by plane, as many as palette.hues; `cells` ≥ 1: pairs that the pixel
// covers. Nothing attended gives exactly the background; everything, exactly the mixed hue. The
// share in between is drawnShare of the coverage (below), never less than leastShareOn(ground).
Color pixelColor(std::span<const Index> counts, Index cells, const MaskPalette& palette);

// How a tile that is computed is marked (tile_layer.h): a veil over its cells, and an outline.
struct TileLook {
  Color fill;
  Color edge;
};
TileLook tileLook(bool full, FigureTheme theme);

// The colour of an attention weight as a share in [0, 1] of the largest one: from the background
// through the first hue to a contrasting end, by the square root of the share, since most weights
// are small. A weight of zero gives the background.
Color weightColor(double share, FigureTheme theme);

// The colour of a number of layers out of at most `most`: zero layers have the first hue, and more
// are closer to the background, but never so close that reached looks like never; never (−1) is the
// background; lost again (−2, reached only through fewer layers) has another hue.
Color hopColor(double hops, double most, FigureTheme theme);

// How the numbers of a matrix are coloured. Zero is the background; all except Hops and Diverging
// use the square root of value / top, since most values are small.
enum class Ramp {
  Weights,     // weightColor of the share of the largest
  Attention,   // the same colours, but a share of kFaintShare or less is background
  Hops,        // hopColor
  Signed,      // weightColor above zero; below, through vermilion: values that should be positive
  Errors,      // through the hue of failures, for sizes of errors
  Diverging,   // even steps: blue below zero, orange above
  Differences, // the same hues
  Changes,     // the same hues, but a share of kFaintShare or less is background
  Hues,        // groups: 1 … 8 are the hues of parts, 9 … 16 the same paler, and so on in turn
  Choice       // choiceValue: what was ranked, grey where it was not chosen
};
// Groups k and k + kGroupHues share a hue; the second is paler, so that only the one after it looks
// the same as the first again: groupShare is at most 1.
constexpr std::size_t kGroupHues = 8;
double groupShare(std::size_t group);

// For Choice: something that was ranked, `strength` from 0 (last) to 1, in the hue of what took it;
// grey where nothing did. 0 is what could not be chosen.
float choiceValue(std::optional<std::size_t> hue, double strength);

// For Attention and Changes: anything this small is background, so that large values stand out.
constexpr double kFaintShare = 0.01;

// Values beyond ±top have the ends' colours, NaN the ground.
Color rampColor(Ramp ramp, double value, double top, FigureTheme theme);

// How strongly a pixel of a mask shows its hue. A single attended pair among millions must be
// visible on paper and from a projector, so small coverages are lifted.

// The least share of a hue on that background: hues of figures stand out from it at 1.4 : 1 or
// more.
double leastShareOn(const Color& ground);

// The share that is drawn for a coverage: the coverage itself from 2 · least on; below, least +
// coverage / 2, so that more is always more.
double drawnShare(double coverage, double least);

} // namespace attention
