// A Scene that moves: the same Scene repeatedly, with one number changed. Layers light up, a
// parameter sweeps, a query goes through the tokens, projections are drawn again.
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
  std::optional<double> step = {}; // absent: at most 60 frames, with allowed values
};

constexpr std::size_t kMostFrames = 1000;

// What `n` is below: `keys`, the current length, or the positions of the Encodings view.
Index sweptLength(const Scene& scene, Index keys);

// What can change: for the view, "layers" and "query" of Reach, "query" of the mask, "redraws" and
// "m" of Kernels, "moment" and "redraws" of Choosing, "position" of Encodings; "n"; and the
// pattern's numbers by their names. Of n and these, only those with several values that the
// patterns allow in their default range; framesOf accepts the others with an explicit range.
std::vector<std::string> sweepsOf(const Scene& scene, Index n);

struct Frames {
  std::string of;             // current
  std::vector<double> values; // of each frame
  std::vector<Scene> scenes;  // with "stride = 5" before their captions
};
// E_UNKNOWN: nothing that can move has that name, or it cannot move in its default range and no
// other range is given; E_RANGE: bounds that must be whole numbers but are not, a step of 0, or
// more than kMostFrames frames; and what checkShown throws for a requested value.
Frames framesOf(const Scene& scene, const Sweep& sweep, Index n);

struct Swept {
  std::string of;
  std::vector<double> values;
};
// What moves in these frames and its values, without the Scenes: throws the same. Only tries values
// of that number.
Swept sweptBy(const Scene& scene, const Sweep& sweep, Index n);

} // namespace attention
