// What a Scene says about itself, and whether that still describes what is shown.
#pragma once

#include "core/plot/figure.h"
#include "core/scene/scene.h"

#include <string>

namespace attention {

// The Scene's words if they describe the shown view, else none. Marked numbers in the title are
// those of the first drawn pattern that has them.
struct SceneWords {
  std::string title;
  std::string caption;
  std::string source;
};
SceneWords wordsOf(const Scene& scene);
// The title as it is written, by which a figure is known whatever its numbers are now.
std::string writtenTitle(const Scene& scene);
// The Scene without words that describe another view.
Scene inOwnWords(Scene scene);

// Whether the Scene draws a paper's figure and has not been turned into another.
bool isPublished(const Scene& scene);

// Removes from `edited` what it says about the Scene `own`, from which it was made, and no longer
// holds, apart from what the edit has written:
// - title, source and paper of what has a source, and a title with marked numbers, where the view
//   that they speak of shows other mechanisms or another picture;
// - the caption, where the patterns, lengths or data are others. Camera, pins, plays and what else
//   is looked at one by one (steps, m, rounds, positions) leave it. So do other projections; other
//   rotations of the circle do not.
// - title and labels of a panel with another mechanism or other choices of it (a factor, causal);
//   the program's own take their place. Other numbers leave them: marked ones follow.
// Another view of the same keeps all of them, but speaks of none (Scene::about).
void dropStaleWords(Scene& edited, const Scene& own);

// ---- as words of its figure ----

// These come before the general words about the picture.
Figure inWordsOf(const Scene& scene, Figure figure);

// Another sentence after the caption, if there is one.
void addToCaption(Figure& figure, const std::string& sentence);

} // namespace attention
