// A Scene that moves: the same Scene again and again with one number of it changed. Layers light
// up, a parameter sweeps, a query goes through the tokens, projections are drawn anew.
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
  std::optional<double> step = {}; // the least one where the frames would be too many
};

constexpr std::size_t kMostFrames = 1000;

// Of the view what can change: "layers" and "query" of Reach, "query" of the mask, "redraws" and
// "m" of Kernels, "moment" and "redraws" of Hashing, "position" of Encodings; "n"; and the
// pattern's numbers by their names.
std::vector<std::string> sweepsOf(const Scene& scene);

struct Frames {
  std::string of;             // in force
  std::vector<double> values; // of each frame
  std::vector<Scene> scenes;  // with "stride = 5" before their captions
};
// What `n` is in framesOf: `keys`, the length in force, or the positions of the Encodings view.
Index sweptLength(const Scene& scene, Index keys);
// `n` is the length in force. E_UNKNOWN: nothing is called so; E_RANGE: bounds that are not whole
// numbers where they have to be, a step of 0, or more than kMostFrames frames.
Frames framesOf(const Scene& scene, const Sweep& sweep, Index n);

} // namespace attention
