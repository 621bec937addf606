// The room that a plot needs around its box for its axes and the labels of its curves.
#pragma once

#include "core/plot/figure.h"

namespace attention {

// In pixels.
struct PlotMargins {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

// `names`: tokens and points of a plot are labelled by their words, not by numbers.
PlotMargins marginsOf(const Plot& plot, double type, bool names, const TextMeasure& measure);

// Whether the words of its tokens fit both axes, and those of its points fit the plot, at that
// size.
bool namesHaveRoom(const Plot& plot, const Size& size, double type, const TextMeasure& measure);

// Matrices side by side share the axis of their queries; other plots have axes of their own.
bool sharesQueries(const Plot& plot);

// Distances in sizes of type.
constexpr double kTickGap = 0.45;      // between a plot and the words of its ticks
constexpr double kCurveLabelGap = 0.8; // between a plot and the labels of its curves
constexpr double kSlack = 1e-3;        // pixels: slack so that words fit the room measured for them
constexpr double kDiagramWordGap = 0.6; // between a diagram and the words to its right
constexpr double kDiagramFoot = 1.9;    // the height of the line below a diagram, of type
constexpr double kAxisLabelLine = 1.15; // of a line, for the name of an axis
constexpr double kBeyondAxis = 4;       // by which the name of an axis may overhang its axis

// Pixels for the name of a vertical axis.
inline double nameRoomUp(double height, double type) {
  return height + kBeyondAxis / 2 * type;
}

// The ticks of a horizontal axis, and of a vertical one.
std::vector<NumberTick> ticksAcross(const NumberAxis& axis, double length, double type,
                                    const TextMeasure& measure);
std::vector<NumberTick> ticksUp(const NumberAxis& axis, double length, double type);

// "layer 3", "input".
std::string rowName(Index row);

} // namespace attention
