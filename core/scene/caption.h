// Whether a Scene's caption still speaks of what is shown.
#pragma once

#include "core/scene/scene.h"

namespace attention {

// Takes the caption of `edited` away where it tells numbers and `edited` is no longer the Scene
// `own` that it was written for: other patterns, lengths or data. Camera, pins, plays and what else
// is looked at one by one (projections, draws, rounds, positions) leave it, as does a caption
// without numbers, or one that the edit has written.
void dropStaleCaption(Scene& edited, const Scene& own);

} // namespace attention
