// What a Scene says about itself, and whether that still describes what is shown.
#pragma once

#include "core/plot/figure.h"
#include "core/scene/scene.h"

#include <string>

namespace attention {

// The Scene's words if they describe the shown view, else none.
struct SceneWords {
  std::string title;
  std::string caption;
  std::string source;
};
SceneWords wordsOf(const Scene& scene);
// The Scene without words that describe another view.
Scene inOwnWords(Scene scene);

// Whether the Scene draws a paper's figure and has not been turned into another.
bool isPublished(const Scene& scene);

// Removes from `edited` what it says about the Scene `own`, from which it was made, and no longer
// holds, apart from what the edit has written:
// - of what has a source: title, caption, source and paper, where the view that they speak of
//   shows other mechanisms or another picture;
// - the caption, where it tells numbers and the patterns, lengths or data are others.
//   Camera, pins, plays and what else is looked at one by one (m, rounds, positions) leave it. So
//   do other projections, unless it names their seed; other rotations of the circle do not.
// - the title, where it names a number of the patterns that is another one now;
// - titles and labels of panels (panel_words.h), which the program replaces by its own.
// Another view of the same keeps all of them, but speaks of none (Scene::about).
void dropStaleWords(Scene& edited, const Scene& own);

// Removes what `other`, made from the same Scene, lacks: title, caption and words of panels.
void keepCommonWords(Scene& scene, const Scene& other);

// ---- as words of its figure ----

// These come before the general words about the picture.
Figure inWordsOf(const Scene& scene, Figure figure);

// Another sentence after the caption, if there is one.
void addToCaption(Figure& figure, const std::string& sentence);

} // namespace attention
