// Animations as files: .png (APNG), .gif, .mp4 (by ffmpeg), or a folder of numbered pictures.
#pragma once

#include "core/plot/mask_raster.h"
#include "core/views/animation.h"
#include "core/views/scene_figure.h"

#include <filesystem>
#include <optional>

namespace attention {

struct AnimationFileOptions {
  std::optional<PixelSize> size; // pixels; by default the size of the first frame
  double seconds = 0.5;          // per frame
  double still = 1.5;            // extra time for the last one
};

// The format of a path, by its ending.
enum class AnimationForm { Apng, Gif, Mp4, Folder };
// E_UNSUPPORTED: another ending.
AnimationForm animationForm(const std::filesystem::path& path);

// Draws each frame as figureOfScene does, all of one size, the first one's Scene inside an APNG.
// Replaces `path`, or pictures in the folder, only by complete ones; returns how many pictures of a
// longer animation were removed from the folder then, those after the last new one. E_RANGE:
// seconds that are not in 0.01 … 60; E_UNSUPPORTED: ffmpeg is missing; errors as figureOfScene and
// writeFigure.
std::size_t writeAnimation(const Frames& frames, const SceneFigureOptions& how,
                           const std::filesystem::path& path,
                           const AnimationFileOptions& options = {}, const Run& run = {});

} // namespace attention
