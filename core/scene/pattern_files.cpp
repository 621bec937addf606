#include "core/scene/pattern_files.h"

#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/support/error.h"

#include <set>
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
                matrix.file + " holds " + std::to_string(file.arrays.size()) +
                    " arrays; allowed is one");
  const Tensor tensor = file.get(file.arrays.front().name());
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(tensor.elements()));
  for (Index at = 0; at < tensor.elements(); ++at)
    values.push_back(number(tensor, at));
  requireUnchanged(tensor.data);
  return {matrix.file, IndexList(tensor.shape), SharedList<double>(std::move(values))};
}

bool isUnread(const MaskSource& mask) {
  return !mask.file.empty() && !mask.read;
}

bool isUnread(const MatrixSource& matrix) {
  return !matrix.file.empty() && matrix.shape.empty();
}

// `pattern` with change(source) in the place of every mask and matrix that it or its operands have.
template <class Change>
Pattern withSources(Pattern pattern, const Change& change) {
  for (const Parameter& parameter : description(pattern).parameters) {
    const Value given = parameter.given(pattern);
    if (const auto* mask = std::get_if<MaskSource>(&given))
      parameter.set(pattern, Value(change(*mask)));
    if (const auto* matrix = std::get_if<MatrixSource>(&given))
      parameter.set(pattern, Value(change(*matrix)));
    if (const auto* operands = std::get_if<std::shared_ptr<const PatternList>>(&given)) {
      PatternList changed;
      for (const Pattern& operand : **operands)
        changed.push_back(withSources(operand, change));
      parameter.set(pattern, Value(std::make_shared<const PatternList>(std::move(changed))));
    }
  }
  return pattern;
}

std::string placed(const std::string& file, const fs::path& folder) {
  if (file.empty() || fs::path(file).is_absolute())
    return file;
  return (folder / file).lexically_normal().string();
}

void addFiles(const Pattern& pattern, std::set<std::string>& files) {
  for (const Parameter& parameter : description(pattern).parameters) {
    const ParameterType type = parameter.type;
    if (type != ParameterType::Mask && type != ParameterType::Matrix &&
        type != ParameterType::Patterns)
      continue;
    const Value given = parameter.given(pattern);
    if (const auto* mask = std::get_if<MaskSource>(&given))
      files.insert(mask->file);
    if (const auto* matrix = std::get_if<MatrixSource>(&given))
      files.insert(matrix->file);
    if (const auto* operands = std::get_if<std::shared_ptr<const PatternList>>(&given))
      for (const Pattern& operand : **operands)
        addFiles(operand, files);
  }
}

// Calls use(pattern) of every pattern of a Scene, const or not.
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
}

// The same of every name of a file, empty ones too.
template <class AnySpec, class Use>
void forEachName(AnySpec& spec, const Use& use) {
  use(spec.tokens);
  if (auto* files = std::get_if<FileInput>(&spec.source))
    for (auto* file : {&files->input, &files->q, &files->k, &files->v, &files->qk, &files->x,
                       &files->wq, &files->wk, &files->wv, &files->wo, &files->attention})
      use(*file);
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

fs::path folderOf(const fs::path& file) {
  return fs::absolute(file).parent_path();
}

void placeFiles(Scene& scene, const fs::path& folder) {
  forEachPattern(scene,
                 [&](Pattern& pattern) { pattern = placedPattern(std::move(pattern), folder); });
  forEachName(scene.input, [&](std::string& file) { file = placed(file, folder); });
}

std::vector<std::string> filesOf(const Scene& scene) {
  std::set<std::string> files;
  forEachPattern(scene, [&](const Pattern& pattern) { addFiles(pattern, files); });
  forEachName(scene.input, [&](const std::string& file) { files.insert(file); });
  files.erase("");
  return {files.begin(), files.end()};
}

} // namespace attention
