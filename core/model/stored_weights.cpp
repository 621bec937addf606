#include "core/model/stored_weights.h"

#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

std::optional<WeightType> weightType(DType dtype) {
  switch (dtype) {
  case DType::Float32:
    return WeightType::F32;
  case DType::Float16:
    return WeightType::F16;
  case DType::BFloat16:
    return WeightType::BF16;
  default:
    return std::nullopt;
  }
}

} // namespace

void StoredWeights::add(const GgufFile& gguf, const std::shared_ptr<const void>& owner) {
  for (const auto& [name, tensor] : gguf.tensors)
    tensors_[name] = {tensor.type, tensor.shape, tensor.data, owner, tensor.problem};
}

void StoredWeights::add(const NamedArray& array, const std::shared_ptr<const void>& owner) {
  const std::optional<WeightType> type = weightType(array.tensor.dtype);
  StoredTensor stored{type.value_or(WeightType::F32), array.tensor.shape, array.tensor.data, owner,
                      array.problem};
  if (!array.problem && !type) {
    const std::string label = array.tensor.label();
    stored.problem = Error(ErrorCode::Type, label,
                           label + " has dtype " + std::string(name(array.tensor.dtype)) +
                               "; it must be float32, float16 or bfloat16");
  }
  tensors_[array.name()] = std::move(stored);
}

void StoredWeights::add(const ArrayFile& arrays, const std::shared_ptr<const void>& owner) {
  for (const NamedArray& array : arrays.arrays)
    add(array, owner);
}

void StoredWeights::add(const ArrayFile& arrays, const std::vector<std::string>& names,
                        const std::shared_ptr<const void>& owner) {
  std::map<std::string_view, const NamedArray*> byName;
  for (const NamedArray& array : arrays.arrays)
    byName[array.name()] = &array;
  for (const std::string& name : names) {
    const auto found = byName.find(name);
    if (found == byName.end())
      throw Error(ErrorCode::Unknown, arrays.file,
                  arrays.file + " has no array " + excerpt(name) + ", which " + file_ +
                      " says is in it");
    add(*found->second, owner);
  }
}

const StoredTensor& StoredWeights::at(std::string_view name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end())
    throw Error(ErrorCode::Unknown, file_,
                file_ + " has no tensor " + excerpt(name) + ", which the model needs; it has " +
                    countText(tensors_.size(), "tensor"));
  if (found->second.problem)
    throw *found->second.problem;
  return found->second;
}

void StoredWeights::failShape(std::string_view name, const std::string& allowed) const {
  const std::string label = file_ + ": tensor " + excerpt(name);
  throw Error(ErrorCode::Shape, label,
              label + " has shape " + shapeText(at(name).shape) + "; it must be " + allowed);
}

WeightMatrix StoredWeights::matrix(std::string_view name) const {
  const StoredTensor& stored = at(name);
  if (stored.shape.empty() || stored.shape.size() > 2 || stored.data == nullptr)
    failShape(name, "a matrix or a vector");
  const Index cols = stored.shape.size() == 2 ? stored.shape[1] : 1;
  if (stored.shape.size() == 1 && blockOf(stored.type).numbers != 1)
    failShape(name, "a matrix where it is quantised");
  WeightMatrix matrix;
  matrix.type = stored.type;
  matrix.rows = stored.shape[0];
  matrix.cols = matrix.stored = cols;
  matrix.data = stored.data;
  matrix.owner = stored.owner;
  return matrix;
}

WeightMatrix StoredWeights::matrix(std::string_view name, Index rows, Index cols,
                                   bool transposed) const {
  WeightMatrix found = matrix(name);
  const std::vector<Index> allowed = transposed ? std::vector{cols, rows} : std::vector{rows, cols};
  if (at(name).shape != allowed)
    failShape(name, shapeText(allowed));
  if (transposed) {
    std::swap(found.rows, found.cols);
    found.transposed = true;
  }
  return found;
}

std::vector<float> StoredWeights::vector(std::string_view name, Index numbers) const {
  if (at(name).shape != std::vector{numbers})
    failShape(name, shapeText(std::vector{numbers}));
  const WeightMatrix stored = matrix(name);
  std::vector<float> values(static_cast<std::size_t>(numbers));
  for (Index i = 0; i < numbers; ++i)
    readRow(stored, i, std::span(values).subspan(static_cast<std::size_t>(i), 1));
  const auto odd =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  if (odd != values.end())
    throw Error(ErrorCode::NonFinite, std::string(name),
                file_ + ": tensor " + excerpt(name) + " holds " + shortest(*odd) + " at " +
                    std::to_string(odd - values.begin()) + "; its numbers must be finite");
  return values;
}

} // namespace attention
