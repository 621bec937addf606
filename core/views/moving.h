// One number of a Scene that may move, and the values that it takes in a sweep.
#pragma once

#include "core/views/animation.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace attention {

// A number, and its default range.
struct Moving {
  std::string name;
  double from = 0;
  double to = 1;
  bool whole = true;
  std::function<void(Scene&, double)> set;
  bool seen = false;    // visible in the picture, so no words are needed
  bool told = false;    // in the picture's own caption, likewise
  Index unit = 1;       // whole values by themselves are from + k · unit
  bool decides = false; // on the patterns, which may not allow every value
};

constexpr double kSweptFactor = 2; // a number sweeps to this many times its value
constexpr Index kSweptRedraws = 11;

inline Index whole(double value) {
  return static_cast<Index>(std::llround(value));
}
// The pinned query through n tokens.
Moving movingQuery(Index n);

// The Scene with given masks that are quick to check: only their outermost cells, which decide at
// what lengths they are possible. For the functions below, which try many values.
Scene forTrials(Scene scene);

// The value of each frame, in the order of the sweep. Without a step: the tried values that the
// Scene's patterns allow for n keys, thinned out where there are more than 60. Whole values are
// tried unit by unit, in longer steps where the range has more than 1000 units; where fewer than
// two of those are allowed, unit by unit up to 16384 units. With a step: a whole number of steps,
// so that the last value is at `to` or just before it. Throws as framesOf does, and as checkShown
// for a requested value.
std::vector<double> valuesOf(const Moving& moving, const Sweep& sweep, const Scene& scene, Index n);

// Whether this finds more than one value in its default range. Stops at the second.
bool canMove(const Moving& moving, const Scene& scene, Index n);

} // namespace attention
