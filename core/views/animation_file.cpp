#include "core/views/animation_file.h"

#include "core/export/apng_file.h"
#include "core/export/cairo_painter.h"
#include "core/export/embedded_scene.h"
#include "core/export/ffmpeg.h"
#include "core/export/figure_file.h"
#include "core/export/gif_file.h"
#include "core/export/png_file.h"
#include "core/input/replace_file.h"
#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"
#include "core/support/program.h"
#include "core/support/text.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <unistd.h>

namespace attention {
namespace {

namespace fs = std::filesystem;

constexpr double kShortest = 0.01; // seconds of a frame
constexpr double kLongest = 60;

std::string frameName(std::size_t k) {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "frame-%05zu.png", k + 1);
  return name.data();
}

// Draws frames one after the other, each as large as the first.
class FramePainter {
public:
  FramePainter(const SceneFigureOptions& how, const std::optional<PixelSize>& size) : how_(how) {
    if (size)
      size_ = canvasOf(*size);
  }

  Image paint(const Scene& scene, const Run& run) {
    const Figure figure = figureOfScene(scene, how_, partOf(run, 0, 0.7));
    LayoutOptions options;
    options.threads = how_.threads;
    const Run laying = partOf(run, 0.7, 1);
    if (!size_) // a figure that fills this size may be arranged otherwise: all frames fill it
      size_ = layout(figure, {}, cairoMeasure(), options, laying.quiet()).size;
    return paintImage(layout(figure, size_, cairoMeasure(), options, laying));
  }

private:
  const SceneFigureOptions& how_;
  std::optional<Size> size_;
};

// Calls add(k, image) for each frame.
template <class Add>
void paintAll(const Frames& frames, const SceneFigureOptions& how,
              const AnimationFileOptions& options, const Run& run, const Add& add) {
  FramePainter painter(how, options.size);
  const auto all = static_cast<double>(frames.scenes.size());
  for (std::size_t k = 0; k < frames.scenes.size(); ++k) {
    const auto done = static_cast<double>(k);
    add(k, painter.paint(frames.scenes[k], partOf(run, done / all, (done + 1) / all)));
  }
}

void writePictures(const Frames& frames, const SceneFigureOptions& how, const fs::path& folder,
                   const AnimationFileOptions& options, const Run& run) {
  paintAll(frames, how, options, run, [&](std::size_t k, const Image& image) {
    replaceFile(folder / frameName(k), [&](std::ostream& stream) {
      PngWriter png(stream, {image.width, image.height}, "");
      png.rows(image.pixels);
      png.finish();
    });
  });
}

// Of a longer animation that was there before: a film of the folder would go on with them. E_IO.
std::size_t removeFramesFrom(std::size_t first, const fs::path& folder) {
  for (std::size_t k = first;; ++k) {
    const fs::path frame = folder / frameName(k);
    if (!fs::is_regular_file(frame))
      return k - first;
    std::error_code problem;
    if (!fs::remove(frame, problem))
      throw Error(ErrorCode::Io, frame.string(),
                  frame.string() +
                      " of an older animation cannot be removed: " + problem.message());
  }
}

void writeApng(const Frames& frames, const SceneFigureOptions& how, const fs::path& path,
               const AnimationFileOptions& options, const Run& run) {
  const std::size_t last = frames.scenes.size() - 1;
  replaceFile(path, [&](std::ostream& stream) {
    std::optional<ApngWriter> apng;
    paintAll(frames, how, options, run, [&](std::size_t k, const Image& image) {
      if (!apng)
        apng.emplace(stream, PixelSize{image.width, image.height}, frames.scenes.size(),
                     sceneLine(frames.scenes.front()));
      apng->add(image, options.seconds + (k == last ? options.still : 0));
    });
    apng->finish();
  });
}

void writeGif(const Frames& frames, const SceneFigureOptions& how, const fs::path& path,
              const AnimationFileOptions& options, const Run& run) {
  const std::size_t last = frames.scenes.size() - 1;
  replaceFile(path, [&](std::ostream& stream) {
    std::optional<GifWriter> gif;
    paintAll(frames, how, options, run, [&](std::size_t k, const Image& image) {
      if (!gif)
        gif.emplace(stream, PixelSize{image.width, image.height});
      gif->add(image, options.seconds + (k == last ? options.still : 0));
    });
    gif->finish();
  });
}

void requireSeconds(const char* name, double value, double least) {
  if (!(value >= least && value <= kLongest))
    throwRange(name, shortest(value),
               "seconds from " + shortest(least) + " to " + shortest(kLongest));
}

} // namespace

AnimationForm animationForm(const fs::path& path) {
  const std::string ending = endingOf(path);
  if (ending.empty())
    return AnimationForm::Folder;
  if (ending == ".png" || ending == ".apng")
    return AnimationForm::Apng;
  if (ending == ".gif")
    return AnimationForm::Gif;
  if (ending == ".html")
    throw Error(ErrorCode::Unsupported, path.string(),
                path.string() +
                    " is a page of HTML, which has a slider instead of an animation; "
                    "write it with attnx figure NAME --sweep PARAM=FROM..TO -o FILE.html");
  if (ending != ".mp4")
    throwEnding(path, ".png and .apng (animated), .gif, .mp4 (by ffmpeg), or a folder");
  return AnimationForm::Mp4;
}

std::size_t writeAnimation(const Frames& frames, const SceneFigureOptions& how,
                           const fs::path& path, const AnimationFileOptions& options,
                           const Run& run) {
  requireSeconds("seconds", options.seconds, kShortest);
  requireSeconds("still", options.still, 0);
  switch (animationForm(path)) {
  case AnimationForm::Apng:
    writeApng(frames, how, path, options, run);
    return 0;
  case AnimationForm::Folder:
    replaceFilesIn(
        path, [&](const fs::path& folder) { writePictures(frames, how, folder, options, run); });
    return removeFramesFrom(frames.scenes.size(), path);
  case AnimationForm::Gif:
    writeGif(frames, how, path, options, run);
    return 0;
  case AnimationForm::Mp4:
    break;
  }
  requireFfmpeg(path); // both before the work
  requireWritable(path);
  const WorkFolder work;
  writePictures(frames, how, work.path(), options, partOf(run, 0, 0.9));
  encodeFrames(work.path(), path, 1 / options.seconds, options.still, run);
  return 0;
}

} // namespace attention
