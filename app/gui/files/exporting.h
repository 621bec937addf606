// Writes what is shown: pictures and numbers, by the ending of the file's name, through core/views,
// and animations as a job.
#pragma once

#include "app/gui/frame/workbench.h"
#include "app/gui/interface/results.h"
#include "core/views/animation.h"
#include "core/views/scene_figure.h"

#include <array>
#include <filesystem>

namespace attention::gui {

// Pictures are the figure of the Scene and carry it; numbers are its view's (scene_figure.h).
// `input` may be null. Returns the characters that no font on this system has. E_UNSUPPORTED,
// E_RANGE, E_IO.
std::string exportShown(const Scene& scene, const std::shared_ptr<const Input>& input,
                        const std::filesystem::path& file, const Run& run = {});
// The same with what has been measured already, as shown.
std::string exportShown(const Scene& scene, const SceneFigureOptions& shown,
                        const std::filesystem::path& file, const Run& run = {});
// The same from the current results.
SceneFigureOptions shownOptions(const Results& results);

// "strided-144.png".
std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending);

// Asks for the file of a page of HTML with the steps of the current lesson, then writes it.
void askLessonPage(Workbench& bench);

// ---- animations, as chosen in the overlay ----

struct AnimationKind {
  const char* label;
  const char* ending; // of the file; empty: a folder
  bool ffmpeg;        // needs ffmpeg
  const char* tooltip;
};
constexpr std::array<AnimationKind, 4> kAnimationKinds{
    AnimationKind{"APNG", ".png", false, "An animated PNG with the scene inside: browsers play it"},
    AnimationKind{"PNGs", "", false,
                  "A folder of numbered pictures: for slides, one step per page"},
    AnimationKind{"GIF", ".gif", false, "An animated GIF: for slides and web pages"},
    AnimationKind{"MP4", ".mp4", true, "MP4 video (needs ffmpeg)"},
};

// Opens the overlay. Its names are those of sweepsOf, found here once.
void chooseAnimation(Workbench& bench);

// The sweep as typed. E_TYPE for what is not a number.
Sweep sweepOf(const AnimationState& state);

// Says in `state` how many frames that makes and gives their Scenes, or says what is wrong with it.
// Draws none of them, so it can run at every keystroke.
void checkAnimation(AnimationState& state, const Scene& scene, Index keys);

// Asks for the file, then writes it once what is shown belongs to the current Scene.
void askAnimation(Workbench& bench, const AnimationState& state);

} // namespace attention::gui
