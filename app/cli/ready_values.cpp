#include "app/cli/ready_values.h"

#include "core/input/array_file.h"
#include "core/input/input_files.h"
#include "core/input/unused_names.h"

#include <utility>

namespace attention::cli {
ReadyValues::ReadyValues(Tensor values, const Input& input) : values_(std::move(values)) {
  const Tensor& weights = *input.weights;
  if (values_.shape.size() < 2 || values_.fromEnd(1) != input.keys)
    throwShapes(values_, weights, "there must be a row of values for each key");
  if (values_.fromEnd(2) < 1 || input.heads % values_.fromEnd(2) != 0)
    throwShapes(values_, weights, "the heads of values must divide those of the weights");
  if (values_.fromEnd(3) != input.batches)
    throwShapes(values_, weights, "the leading axes must agree");
  shared_ = input.heads / values_.fromEnd(2);
}

Matrix<double> ReadyValues::of(Index batch, Index head) const {
  return slice<double>(values_, batch, head / shared_);
}

std::optional<ReadyValues> readyValuesFrom(const Arguments& arguments, const Input& input,
                                           const Run& run) {
  if (input.hasQkv())
    return std::nullopt;
  const std::string name = arguments.text("v-name", "v");
  if (const std::string* path = arguments.find("v"))
    return ReadyValues(onlyOrNamed(readArrays(*path, run), name, "v"), input);
  const std::string* path = arguments.find("input");
  if (path == nullptr || name == arguments.text("attention-name", "attention"))
    return std::nullopt;
  try {
    std::optional<Tensor> values = readArrays(*path, run).find(name);
    return values ? std::optional(ReadyValues(std::move(*values), input)) : std::nullopt;
  } catch (const Error& error) {
    const bool unfit = error.code() == ErrorCode::Shape || error.code() == ErrorCode::Type;
    if (!unfit || arguments.has("output") || arguments.has("v-name"))
      throw;
    return std::nullopt; // nobody asked for outputs: only their error is missing
  }
}

} // namespace attention::cli
