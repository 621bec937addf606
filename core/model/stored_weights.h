// The tensors of a model's files by name, as stored: of one GGUF file, or of one or several
// .safetensors files. Views into the files' bytes; only vectors (norms, biases) are copied.
#pragma once

#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/model/gguf.h"
#include "core/model/weight_matrix.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct StoredTensor {
  WeightType type = WeightType::F32;
  std::vector<Index> shape; // slowest axis first
  const std::byte* data = nullptr;
  std::shared_ptr<const void> owner;
  std::optional<Error> problem = {}; // thrown when it is asked for
};

class StoredWeights {
public:
  explicit StoredWeights(std::string file) : file_(std::move(file)) {}

  // Of a file whose bytes `owner` keeps alive.
  void add(const GgufFile& gguf, const std::shared_ptr<const void>& owner);
  void add(const ArrayFile& arrays, const std::shared_ptr<const void>& owner);
  // Only the arrays that are called so.
  void add(const ArrayFile& arrays, const std::vector<std::string>& names,
           const std::shared_ptr<const void>& owner);

  bool has(std::string_view name) const { return tensors_.find(name) != tensors_.end(); }
  // Rows and columns of a matrix; of one axis, a single column. E_UNKNOWN where there is no such
  // tensor; E_SHAPE: more than two axes.
  WeightMatrix matrix(std::string_view name) const;
  // The same, which must have this shape; `transposed`: stored as cols × rows. E_SHAPE.
  WeightMatrix matrix(std::string_view name, Index rows, Index cols, bool transposed = false) const;
  // A copy of a tensor of one axis, which must have so many numbers. E_SHAPE, E_NONFINITE.
  std::vector<float> vector(std::string_view name, Index numbers) const;

  const std::string& file() const { return file_; } // its name in errors

private:
  void add(const NamedArray& array, const std::shared_ptr<const void>& owner);
  const StoredTensor& at(std::string_view name) const;
  [[noreturn]] void failShape(std::string_view name, const std::string& allowed) const;

  std::string file_;
  std::map<std::string, StoredTensor, std::less<>> tensors_;
};

} // namespace attention
