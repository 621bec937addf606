#include "app/gui/files/exporting.h"

#include "core/figure/figure_file.h"
#include "core/figure/scene_data.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention::gui {
namespace {

// Whether it is all of what the present Scene asks for.
template <class T>
bool isWhole(const Latest<T>& latest) {
  return latest && !latest.stale && !latest.pending && !latest.problem;
}

// Whether there is something, and not all.
template <class T>
bool isPart(const Latest<T>& latest) {
  return latest && !isWhole(latest);
}

// Whether a file of that name holds numbers, not a picture.
bool holdsData(const std::filesystem::path& file) {
  const std::string ending = endingOf(file);
  return ending == ".npy" || ending == ".csv" || ending == ".mtx";
}

} // namespace

std::string exportShown(const Scene& scene, const std::shared_ptr<const Input>& input,
                        const std::filesystem::path& file, const Run& run) {
  SceneFigureOptions made;
  made.input = input;
  return exportShown(scene, made, file, run);
}

std::string exportShown(const Scene& scene, const SceneFigureOptions& shown,
                        const std::filesystem::path& file, const Run& run) {
  std::string missing;
  if (holdsData(file)) {
    writeSceneData(scene, shown, file, run);
    return missing;
  }
  FigureFileOptions options;
  options.scene = scene;
  options.onMissing = [&missing](const std::string& signs) { missing = signs; };
  writeFigure(figureOfScene(scene, shown, run), file, options, run);
  return missing;
}

SceneFigureOptions shownOptions(const Results& results) {
  SceneFigureOptions options;
  options.input = results.input.value;
  if (isWhole(results.reach))
    options.reach = {results.reach.value, &results.reach->answer};
  const KernelsResults& kernels = results.kernels;
  const bool partly = isPart(kernels.sweep) || isPart(kernels.matrices) || isPart(kernels.spectrum);
  if (isWhole(kernels.shown) && !kernels.problem && !partly)
    options.kernels = {kernels.shown.value, &kernels.shown->answer};
  if (results.timings && !results.timings.stale)
    options.timings = {results.timings.value, &results.timings->timings};
  return options;
}

std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending) {
  if (scene.view == View::Attention)
    return "attention-" +
           std::string(kAttentionPictureNames[static_cast<std::size_t>(scene.attention.picture)]) +
           ending;
  if (scene.view == View::Kernels)
    return "kernels-" +
           std::string(kKernelsPictureNames[static_cast<std::size_t>(scene.kernels.picture)]) +
           ending;
  if (scene.view == View::Hashing)
    return "hashing-" +
           std::string(kHashingPictureNames[static_cast<std::size_t>(scene.hashing.picture)]) +
           ending;
  if (scene.view == View::Timings || scene.view == View::Encodings || scene.view == View::Compare)
    return std::string(kViewNames[static_cast<std::size_t>(scene.view)]) + ending;
  return description(scene.pattern).name + "-" + std::to_string(lengths.keys) + ending;
}

} // namespace attention::gui
