// Which masks a Scene shows side by side: what it compares and the difference, its panels, the
// heads of its mechanism (S4.17), or only its pattern. The window and figures both use this.
#pragma once

#include "core/scene/scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace attention {

// At least one panel; titles of heads are "head 0" …, the title of a single pattern is empty.
// Merged heads are the union of those that differ. Throws as headPatterns, and E_RANGE for more
// than kMostHeadsShown heads side by side.
std::vector<Panel> shownPatterns(const Scene& scene, const Lengths& lengths);

// What those masks are made from: Scenes that agree in it have the same masks.
Scene masksOnly(const Scene& scene);

// Whether a pattern can be chosen in the view: if not, the view uses none.
bool choosesPattern(const Scene& scene);
// Whether the view draws the chosen pattern: if not, its parameters do not concern the view.
bool readsPattern(const Scene& scene);
// Whether a view's picture uses the Scene's own pattern: panels, layers with patterns of their own
// and what is compared or timed may leave it out.
bool drawsOwnPattern(const Scene& scene, View of);
// The patterns of the masks, or of the layers in turn (lowest first), behind the current view's
// picture, as the Scene gives them; empty if no mask is behind it.
std::vector<Panel> drawnPatterns(const Scene& scene);
// Pointers to the same patterns in the Scene, to change them there; a comparison's default patterns
// become its own.
std::vector<Pattern*> drawnPatternsIn(Scene& scene);
// The pattern that controls edit: the chosen one of a comparison or of layers with patterns of
// their own, else the Scene's own.
Pattern editedPattern(const Scene& scene);
// Its name among several, "layer 2" or "(b)"; empty if it is the Scene's own.
std::string editedName(const Scene& scene);
// Its parameters that the view does not read, since every head shown has its own.
std::vector<std::string_view> unreadParameters(const Scene& scene);
// Replaces it. A compared pattern or a layer is titled `title`, where given, else by its own title.
void setEditedPattern(Scene& scene, const Pattern& pattern);
void replaceEditedPattern(Scene& scene, const Pattern& pattern, const std::string& title = {});

// Checks that those patterns, the heads of the Mask view and its image are possible at `keys`
// tokens, or at the Scene's own n, without preparing any: throws what shownPatterns, imageShape and
// check do.
void checkShown(const Scene& scene, Index keys);
// Whether the view has pictures of an input: if not, it has no use for input and model heads
// either.
bool takesInput(const Scene& scene);

// Whether the last of the masks is the difference of two of them.
bool showsDifference(const Scene& scene);
// Weights, image and tiles belong to the Mask view: a comparison only shows which cells are
// attended.
WeightsShown currentWeights(const Scene& scene);
bool currentImage(const Scene& scene);
// Tiles are drawn over the mask, not over weights.
bool currentTiles(const Scene& scene);

} // namespace attention
