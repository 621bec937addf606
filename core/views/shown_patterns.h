// Which masks a Scene shows side by side: what it compares and the difference, its panels, the
// heads of its mechanism (S4.17), or its pattern alone. The window and figures ask the same.
#pragma once

#include "core/scene/scene.h"

#include <string>
#include <vector>

namespace attention {

// At least one panel; titles of heads are "head 0" …, the title of a single pattern is empty. Heads
// merged are the union of those that differ. Throws as headPatterns, and E_RANGE for more than
// kMostHeadsShown heads side by side.
std::vector<Panel> shownPatterns(const Scene& scene, const Lengths& lengths);

// What those masks are made of: Scenes that agree in it have the same masks.
Scene masksOnly(const Scene& scene);

// Whether a pattern is chosen in the view: else none is any business of it.
bool choosesPattern(const Scene& scene);
// Whether the view draws the pattern that is chosen: else its parameters are none of the view's.
bool readsPattern(const Scene& scene);
// Whether the picture of a view is made of the Scene's own pattern: panels, layers with patterns of
// their own and what is compared or timed may leave it out.
bool drawsOwnPattern(const Scene& scene, View of);
// The patterns of the masks, or of the layers in turn (lowest first), that the present view's
// picture is made of, as the Scene gives them; empty where it is of no one's mask.
std::vector<Panel> drawnPatterns(const Scene& scene);
// The same patterns where they are in the Scene, to be changed there; what a comparison compares by
// default becomes its own.
std::vector<Pattern*> drawnPatternsIn(Scene& scene);
// The pattern that controls edit: the chosen one of a comparison or of layers with patterns of
// their own, else the Scene's own.
Pattern editedPattern(const Scene& scene);
// What that is called among several, "layer 2" or "(b)"; empty where it is the Scene's own.
std::string editedName(const Scene& scene);
// Puts another one there. A compared pattern or a layer goes by `title`, where that is given, else
// by its own.
void setEditedPattern(Scene& scene, const Pattern& pattern);
void replaceEditedPattern(Scene& scene, const Pattern& pattern, const std::string& title = {});

// Whether those patterns, the heads of the Mask view and its image are possible at `keys` tokens,
// or at the Scene's own n, without preparing any: throws what shownPatterns, imageShape and check
// do.
void checkShown(const Scene& scene, Index keys);
// Whether there are pictures of an input in the view: else input and model heads are none either.
bool takesInput(const Scene& scene);

// Whether the last of the masks is the difference of two of them.
bool showsDifference(const Scene& scene);
// Weights and image belong to the Mask view: a comparison shows which cells there are.
WeightsShown currentWeights(const Scene& scene);
bool currentImage(const Scene& scene);

} // namespace attention
