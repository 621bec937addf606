// Writes .safetensors files (https://github.com/huggingface/safetensors#format) whose arrays are
// made piece by piece, in any order: the header, which says where each array lies, comes first.
#pragma once

#include "core/input/tensor.h"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace attention {

struct SafetensorsArray {
  std::string name;
  DType dtype = DType::Float32; // Float32 or Float16
  std::vector<Index> shape;
};

class SafetensorsWriter {
public:
  // Writes the header to the beginning of a stream that can seek. `metadata`: of texts.
  SafetensorsWriter(std::ostream& out, std::vector<SafetensorsArray> arrays,
                    const std::map<std::string, std::string>& metadata);

  // Numbers of an array from element `first` on, in C order. Whoever calls it writes every element.
  // E_RANGE: a number beyond float16.
  void write(std::size_t array, Index first, std::span<const float> values);

private:
  std::ostream& out_;
  std::vector<SafetensorsArray> arrays_;
  std::vector<std::streamoff> begins_; // of the arrays in the file
};

} // namespace attention
