// Which masks a Scene shows side by side: its panels, the heads of its mechanism (S4.17), or its
// pattern alone. The window and figures ask the same.
#pragma once

#include "core/scene/scene.h"

#include <vector>

namespace attention {

// Most heads that are told apart.
constexpr Index kMostHeads = 64;

// The pattern of each head: strided and fixed by turns or merged with sub-blocks by head,
// longformer with a dilation a head, bigbird with a stream a head; others the same for all.
// E_RANGE: heads, num_subblocks (1 … ⌊l / c⌋), dilations (one a head).
std::vector<Pattern> headPatterns(const Pattern& pattern, const HeadsSpec& heads, Index n);

// At least one panel; titles of heads are "head 0" …, the title of a single pattern is empty. Heads
// merged are the union of those that differ.
std::vector<Panel> shownPatterns(const Scene& scene, const Lengths& lengths);

} // namespace attention
