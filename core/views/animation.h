// A Scene that moves: the same Scene again and again with one number of it changed. Layers light
// up, a parameter sweeps, a query goes through the tokens, projections are drawn again.
#pragma once

#include "core/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct Sweep {
  std::string of; // what changes, by name; empty: what the view plays
  std::optional<double> from = {};
  std::optional<double> to = {};
  std::optional<double> step = {}; // absent: 60 frames at most, of values that are allowed
};

constexpr std::size_t kMostFrames = 1000;

// What `n` is below: `keys`, the current length, or the positions of the Encodings view.
Index sweptLength(const Scene& scene, Index keys);

// Of the view what can change: "layers" and "query" of Reach, "query" of the mask, "redraws" and
// "m" of Kernels, "moment" and "redraws" of Hashing, "position" of Encodings; "n"; and the
// pattern's numbers by their names. Of n and these only what the patterns allow several values of
// in the range that it takes by itself; framesOf takes the others in a range of their own.
std::vector<std::string> sweepsOf(const Scene& scene, Index n);

struct Frames {
  std::string of;             // current
  std::vector<double> values; // of each frame
  std::vector<Scene> scenes;  // with "stride = 5" before their captions
};
// E_UNKNOWN: nothing that can move is called so, or by itself it cannot and no end of its range is
// given; E_RANGE: bounds that are not whole numbers where
// they have to be, a step of 0, or more than kMostFrames frames; and what checkShown throws for a
// value that was asked for.
Frames framesOf(const Scene& scene, const Sweep& sweep, Index n);

struct Swept {
  std::string of;
  std::vector<double> values;
};
// What moves in these frames and its values, without the Scenes: throws the same. Tries values of
// that number alone.
Swept sweptBy(const Scene& scene, const Sweep& sweep, Index n);

} // namespace attention
