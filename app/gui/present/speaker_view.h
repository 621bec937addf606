// The speaker's view: what the audience sees and what comes next, as small pictures; the notes and
// the question with its answer in type that is read at a glance; the times.
#pragma once

#include "app/gui/panels/figure_thumbnails.h"
#include "app/gui/present/speaker_words.h"

namespace attention::gui {

constexpr const char* kSpeakerRegion = "Speaker";

// The scale of type for a window of that size in points.
float speakerScale(float width, float height);

// Over all of `area`.
void drawSpeaker(const Ui& ui, const SpeakerWords& said, FigureThumbnails& pictures,
                 const Rect& area);

} // namespace attention::gui
