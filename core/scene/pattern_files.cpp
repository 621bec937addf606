#include "core/scene/pattern_files.h"

#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

namespace attention {
namespace {

namespace fs = std::filesystem;

MaskSource filled(const MaskSource& mask, const fs::path& folder, const Run& run) {
  MaskFile file = readMask(folder / mask.file, run);
  MaskSource read{mask.file, 0, 0, {}, std::move(file.runs), true};
  if (file.sized) {
    read.rows = file.rows;
    read.cols = file.cols;
  }
  return read;
}

MatrixSource filled(const MatrixSource& matrix, const fs::path& folder, const Run& run) {
  const ArrayFile file = readArrays(folder / matrix.file, run);
  if (file.arrays.size() != 1)
    throw Error(ErrorCode::Unsupported, matrix.file,
                matrix.file + " holds " + countText(file.arrays.size(), "array") +
                    "; it must have one");
  const Tensor tensor = file.get(file.arrays.front().name());
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(tensor.elements()));
  for (Index at = 0; at < tensor.elements(); ++at)
    values.push_back(number(tensor, at));
  requireUnchanged(tensor.data);
  return {matrix.file, IndexList(tensor.shape), SharedList<double>(std::move(values))};
}

// The file's mask of that plane, still to be read.
MaskSource unread(const MaskReference& reference) {
  MaskSource chosen;
  chosen.file = textOf(reference);
  return chosen;
}

// The plane, in a file of several masks, of a batch and head out of so many.
MaskPlane planeOf(const std::string& file, const MaskAxes& mask, const MaskPlane& of, Index batches,
                  Index heads) {
  if (mask.oneAxis && mask.heads != heads && mask.heads == batches)
    return {of.batch, {}};
  const bool fits =
      (mask.heads == heads || mask.heads == 1) && (mask.batches == batches || mask.batches == 1);
  if (!fits)
    throw Error(ErrorCode::Shape, "mask",
                file + " has " + std::to_string(mask.batches) + " × " + std::to_string(mask.heads) +
                    " masks; it must have one, or as many as layers (" + std::to_string(batches) +
                    ") and heads (" + std::to_string(heads) + ") of the input");
  return of;
}

// `pattern` with that layer and head of every mask file from which it chooses one.
Pattern withPlane(Pattern pattern, const MaskPlane& plane) {
  return withSources(std::move(pattern), [&](auto source) {
    if constexpr (std::is_same_v<decltype(source), MaskSource>) {
      MaskReference named = maskReference(source.file);
      if (named.plane.batch && plane.batch)
        named.plane.batch = plane.batch;
      if (named.plane.head && plane.head)
        named.plane.head = plane.head;
      if (named.plane != MaskPlane{})
        return unread(named);
    }
    return source;
  });
}

std::string placed(const std::string& file, const fs::path& folder) {
  if (file.empty() || fs::path(file).is_absolute())
    return file;
  return (folder / file).lexically_normal().string();
}

void addFiles(const Pattern& pattern, std::set<std::string>& files) {
  forEachSource(pattern, [&](const auto& source) {
    if constexpr (std::is_same_v<decltype(source), const MaskSource&>)
      files.insert(maskReference(source.file).file);
    else
      files.insert(source.file);
  });
}

// Calls use(pattern) for every pattern of a Scene, const or not.
template <class AnyScene, class Use>
void forEachPattern(AnyScene& scene, const Use& use) {
  use(scene.pattern);
  for (auto* panels :
       {&scene.mask.panels, &scene.reach.stack, &scene.reach.beside, &scene.compare.patterns})
    for (auto& panel : *panels)
      use(panel.pattern);
  for (auto* mechanisms : {&scene.timings.mechanisms, &scene.compare.scored})
    for (auto& mechanism : *mechanisms)
      use(mechanism.pattern);
  for (auto& variant : scene.model.variants)
    for (auto& rule : variant.rules)
      use(rule.pattern);
}

// The same for every file name, including empty ones.
template <class AnySpec, class Use>
void forEachName(AnySpec& spec, const Use& use) {
  use(spec.tokens);
  if (auto* files = std::get_if<FileInput>(&spec.source))
    for (auto* file : {&files->input, &files->q, &files->k, &files->v, &files->qk, &files->x,
                       &files->wq, &files->wk, &files->wv, &files->wo, &files->attention})
      use(*file);
  if (auto* of = std::get_if<ModelInput>(&spec.source))
    use(of->text);
}

// It may also be the name of a model that lies elsewhere.
void placeModel(std::string& model, const fs::path& folder) {
  std::error_code ignored;
  if (std::string file = placed(model, folder); fs::exists(file, ignored))
    model = std::move(file);
}

Pattern placedPattern(Pattern pattern, const fs::path& folder) {
  return withSources(std::move(pattern), [&](auto source) {
    source.file = placed(source.file, folder);
    return source;
  });
}

} // namespace

Pattern resolveFiles(Pattern pattern, const fs::path& baseFolder, const Run& run) {
  return withSources(std::move(pattern), [&](const auto& source) {
    return isUnread(source) ? filled(source, baseFolder, run) : source;
  });
}

Pattern withMaskPlane(Pattern pattern, const MaskPlane& plane) {
  return withSources(std::move(pattern), [&](auto source) {
    if constexpr (std::is_same_v<decltype(source), MaskSource>) {
      const MaskReference named = maskReference(source.file);
      if (!source.file.empty() && named.plane == MaskPlane{} && plane != MaskPlane{})
        return unread({named.file, plane});
    }
    return source;
  });
}

std::vector<Pattern> headPatternsOf(const Pattern& pattern, const HeadOptions& options, Index n) {
  std::vector<Pattern> heads = headPatterns(pattern, options, n);
  for (std::size_t head = 0; head < heads.size(); ++head)
    heads[head] = withPlane(std::move(heads[head]), {{}, static_cast<Index>(head)});
  return heads;
}

Pattern withHeadChosen(Pattern pattern, const Run& run) {
  return withSources(std::move(pattern), [&](auto source) {
    if constexpr (std::is_same_v<decltype(source), MaskSource>) {
      MaskReference named = maskReference(source.file);
      if (!source.file.empty() && !named.plane.head && maskAxes(source.file, run).heads > 1) {
        named.plane.head = 0;
        return unread(named);
      }
    }
    return source;
  });
}

Index headsOfMasks(const Pattern& pattern, const Run& run) {
  for (const MaskSource& mask : masksOf(pattern))
    if (maskReference(mask.file).plane.head)
      return maskAxes(mask.file, run).heads;
  return 0;
}

Index layersOfMasks(const Pattern& pattern, const Run& run) {
  for (const MaskSource& mask : masksOf(pattern))
    if (maskReference(mask.file).plane.batch) {
      const MaskAxes axes = maskAxes(mask.file, run);
      return axes.oneAxis ? axes.heads : axes.batches;
    }
  return 0;
}

MaskPlane planeAtOpening(const MaskAxes& mask, const InputSpec& chosen, const Input* input) {
  const auto within = [](Index index, Index count) { return index < count ? index : Index{0}; };
  MaskPlane plane;
  const bool layers =
      mask.oneAxis && input && input->heads != mask.heads && input->batches == mask.heads;
  if (layers)
    plane.batch = within(chosen.batch, mask.heads);
  else if (mask.heads > 1)
    plane.head = within(chosen.head, mask.heads);
  if (mask.batches > 1)
    plane.batch = within(chosen.batch, mask.batches);
  return plane;
}

void choosePlane(Scene& scene, const MaskPlane& plane) {
  scene.input.batch = plane.batch.value_or(scene.input.batch);
  scene.input.head = plane.head.value_or(scene.input.head);
  forEachPattern(scene, [&](Pattern& pattern) { pattern = withPlane(std::move(pattern), plane); });
}

bool hasMasksOfPlanes(const Pattern& pattern, const Run& run) {
  const std::vector<MaskSource> masks = masksOf(pattern);
  return std::any_of(masks.begin(), masks.end(), [&](const MaskSource& mask) {
    return !mask.file.empty() && maskReference(mask.file).plane == MaskPlane{} &&
           maskAxes(mask.file, run).masks() > 1;
  });
}

Pattern withMasksOf(Pattern pattern, const MaskPlane& of, const Input& input, const Run& run) {
  return withSources(std::move(pattern), [&](auto source) {
    if constexpr (std::is_same_v<decltype(source), MaskSource>) {
      if (source.file.empty() || maskReference(source.file).plane != MaskPlane{})
        return source;
      const MaskAxes mask = maskAxes(source.file, run);
      if (mask.masks() > 1)
        return unread({source.file, planeOf(source.file, mask, of, input.batches, input.heads)});
    }
    return source;
  });
}

std::vector<MaskSource> masksOf(const Pattern& pattern) {
  std::vector<MaskSource> masks;
  forEachSource(pattern, [&](const auto& source) {
    if constexpr (std::is_same_v<decltype(source), const MaskSource&>)
      masks.push_back(source);
  });
  return masks;
}

bool isMadeOfMasks(const Pattern& pattern) {
  const std::vector<const Pattern*> operands = operandsOf(pattern);
  if (operands.empty())
    return pattern.is<GivenMask>();
  return std::all_of(operands.begin(), operands.end(),
                     [](const Pattern* operand) { return isMadeOfMasks(*operand); });
}

fs::path folderOf(const fs::path& file) {
  return fs::absolute(file).parent_path();
}

void placeFiles(Scene& scene, const fs::path& folder) {
  forEachPattern(scene,
                 [&](Pattern& pattern) { pattern = placedPattern(std::move(pattern), folder); });
  forEachName(scene.input, [&](std::string& file) { file = placed(file, folder); });
  scene.model.text = placed(scene.model.text, folder);
  placeModel(scene.model.model, folder);
  if (auto* of = std::get_if<ModelInput>(&scene.input.source))
    placeModel(of->model, folder);
}

std::vector<std::string> filesOf(const Scene& scene) {
  std::set<std::string> files;
  forEachPattern(scene, [&](const Pattern& pattern) { addFiles(pattern, files); });
  forEachName(scene.input, [&](const std::string& file) { files.insert(file); });
  files.insert(scene.model.text);
  files.erase("");
  return {files.begin(), files.end()};
}

} // namespace attention
