// Animations of the Scene from the window: what the overlay has chosen, as a job that writes files.
#pragma once

#include "app/gui/frame/workbench.h"
#include "core/scene/animation.h"

#include <array>

namespace attention::gui {

struct AnimationKind {
  const char* label;
  const char* ending; // of its file; empty: a folder
  bool ffmpeg;        // is needed
  const char* tooltip;
};
constexpr std::array<AnimationKind, 4> kAnimationKinds{
    AnimationKind{"APNG", ".png", false, "An animated PNG with the scene inside: browsers play it"},
    AnimationKind{"PNGs", "", false,
                  "A folder of numbered pictures: for slides, one step per page"},
    AnimationKind{"GIF", ".gif", true, "An animated GIF (needs ffmpeg)"},
    AnimationKind{"MP4", ".mp4", true, "MP4 video (needs ffmpeg)"},
};

// Opens the overlay. Its names are those of sweepsOf, found here once.
void chooseAnimation(Workbench& bench);

// What moves, as it was typed. E_TYPE for what is no number.
Sweep sweepOf(const AnimationState& state);

// Says in `state` how many frames that makes, or what is wrong about it. Tries the values of the
// chosen number alone and makes no frame, so that it may be asked at every typed character.
void checkAnimation(AnimationState& state, const Scene& scene, Index keys);

// Asks for the file, then writes it once what is shown is of the present Scene.
void askAnimation(Workbench& bench, const AnimationState& state);

} // namespace attention::gui
