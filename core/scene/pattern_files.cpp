#include "core/scene/pattern_files.h"

#include "core/input/array_file.h"
#include "core/input/mask_file.h"
#include "core/support/error.h"

#include <utility>

namespace attention {
namespace {

MaskSource withCells(const MaskSource& mask, const std::filesystem::path& folder) {
  const MaskFile file = readMask(folder / mask.file);
  std::vector<IndexPair> pairs;
  pairs.reserve(static_cast<std::size_t>(file.pairs()));
  for (const auto& run : file.runs)
    for (Index j = run.begin; j < run.end; ++j)
      pairs.emplace_back(run.query, j);
  MaskSource read{mask.file, 0, 0, PairList(std::move(pairs))};
  if (file.sized) {
    read.rows = file.rows;
    read.cols = file.cols;
  }
  return read;
}

MatrixSource withValues(const MatrixSource& matrix, const std::filesystem::path& folder) {
  const ArrayFile file = readArrays(folder / matrix.file);
  if (file.arrays.size() != 1)
    throw Error(ErrorCode::Unsupported, matrix.file,
                matrix.file + " holds " + std::to_string(file.arrays.size()) +
                    " arrays; allowed is one");
  if (file.arrays.front().problem)
    throw Error(*file.arrays.front().problem);
  const Tensor& tensor = file.arrays.front().tensor;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(tensor.elements()));
  for (Index at = 0; at < tensor.elements(); ++at)
    values.push_back(number(tensor, at));
  return {matrix.file, IndexList(tensor.shape), SharedList<double>(std::move(values))};
}

Pattern absolute(Pattern pattern, const std::filesystem::path& folder) {
  const auto named = [&](const std::string& file) {
    return std::filesystem::absolute(folder / file).lexically_normal().string();
  };
  for (const Parameter& parameter : description(pattern).parameters) {
    const Value given = parameter.given(pattern);
    if (const auto* mask = std::get_if<MaskSource>(&given); mask && !mask->file.empty()) {
      MaskSource source = *mask;
      source.file = named(mask->file);
      parameter.set(pattern, Value(std::move(source)));
    }
    if (const auto* matrix = std::get_if<MatrixSource>(&given); matrix && !matrix->file.empty()) {
      MatrixSource source = *matrix;
      source.file = named(matrix->file);
      parameter.set(pattern, Value(std::move(source)));
    }
    if (const auto* operands = std::get_if<std::shared_ptr<const PatternList>>(&given)) {
      PatternList list;
      for (const Pattern& operand : **operands)
        list.push_back(absolute(operand, folder));
      parameter.set(pattern, Value(std::make_shared<const PatternList>(std::move(list))));
    }
  }
  return pattern;
}

} // namespace

Scene withAbsoluteFiles(Scene scene, const std::filesystem::path& baseFolder) {
  scene.pattern = absolute(std::move(scene.pattern), baseFolder);
  for (Panel& panel : scene.mask.panels)
    panel.pattern = absolute(std::move(panel.pattern), baseFolder);
  return scene;
}

Pattern resolveFiles(Pattern pattern, const std::filesystem::path& baseFolder) {
  for (const Parameter& parameter : description(pattern).parameters) {
    const Value given = parameter.given(pattern);
    if (const auto* mask = std::get_if<MaskSource>(&given)) {
      const bool unread = !mask->file.empty() && mask->rows == 0 && mask->pairs.empty();
      if (unread)
        parameter.set(pattern, withCells(*mask, baseFolder));
    }
    if (const auto* matrix = std::get_if<MatrixSource>(&given))
      if (!matrix->file.empty() && matrix->shape.empty())
        parameter.set(pattern, withValues(*matrix, baseFolder));
    if (const auto* operands = std::get_if<std::shared_ptr<const PatternList>>(&given)) {
      PatternList read;
      for (const Pattern& operand : **operands)
        read.push_back(resolveFiles(operand, baseFolder));
      parameter.set(pattern, Value(std::make_shared<const PatternList>(std::move(read))));
    }
  }
  return pattern;
}

} // namespace attention
