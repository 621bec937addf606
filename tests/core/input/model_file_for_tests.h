// Files of Q, K and V with what they say about their model.
#pragma once

#include "core/input/input.h"
#include "tests/core/input/input_files_for_tests.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attention::test {

struct ModelArray {
  std::string name;
  std::string dtype; // of .safetensors: "F32"
  std::vector<Index> shape;
  std::string bytes;
};

// One .safetensors file.
inline std::string modelFile(const std::map<std::string, std::string>& metadata,
                             const std::vector<ModelArray>& arrays) {
  nlohmann::ordered_json header{{"__metadata__", metadata}};
  std::string data;
  for (const ModelArray& array : arrays) {
    const std::size_t end = data.size() + array.bytes.size();
    header[array.name] = {
        {"dtype", array.dtype}, {"shape", array.shape}, {"data_offsets", {data.size(), end}}};
    data += array.bytes;
  }
  return safetensors(header.dump(), data);
}

// q, k and v [layers, 1, n, 1] of zeros.
inline std::vector<ModelArray> zeroArrays(Index layers, Index n) {
  std::vector<ModelArray> arrays;
  for (const char* name : {"q", "k", "v"})
    arrays.push_back({name,
                      "F32",
                      {layers, 1, n, 1},
                      std::string(static_cast<std::size_t>(4 * layers * n), '\0')});
  return arrays;
}

inline std::shared_ptr<const Input> loadedFrom(const FileInput& files) {
  InputSpec spec;
  spec.source = files;
  return loadInput(spec);
}

// q, k and v of that many layers and tokens, with a mask if one is given.
inline std::shared_ptr<const Input> loadedModel(const std::map<std::string, std::string>& metadata,
                                                Index layers, Index n,
                                                const std::vector<ModelArray>& more = {}) {
  const TemporaryFolder folder;
  std::vector<ModelArray> arrays = zeroArrays(layers, n);
  arrays.insert(arrays.end(), more.begin(), more.end());
  FileInput files;
  files.input = folder.write("m.safetensors", modelFile(metadata, arrays));
  return loadedFrom(files);
}

} // namespace attention::test
